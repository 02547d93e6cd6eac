'use client'

import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ComboBox, Input, ListBox, ListBoxItem, Popover } from 'react-aria-components'
import type { UserItem } from '#app/connection/trpc.ts'
import { FieldLabel, FieldNotes, inputClass } from '#app/ui/field.tsx'
import { useSettled } from '../../use-settled.ts'
import { useUserListOptions } from '../../users/use-users.ts'
import { addressOf, isOneAddress, isToken, subjectNamed } from './subject-words.ts'

interface Props {
  /** As the limiter's keys spell it. */
  subject: string | null
  name: string | null
  onChange: (subject: string | null, name: string | null) => void
  isChecked: boolean
}

/** One user, found by name, or an address. */
export function SubjectField({ subject, name, onChange, isChecked }: Props) {
  const [text, setText] = useState(subject === null ? '' : subjectNamed(subject, name))
  const query = useInfiniteQuery(useUserListOptions(useSettled(text.trim())))
  const users = query.data?.pages.flatMap(({ items }) => items) ?? []
  const choose = (user: UserItem | undefined) => {
    if (!user) return
    setText(user.username)
    onChange(user.id, user.username)
  }
  const type = (typed: string) => {
    if (typed === text) return
    setText(typed)
    const own = typed.trim()
    const named = users.find(({ username }) => username.toLowerCase() === own.toLowerCase())
    if (named) onChange(named.id, named.username)
    else onChange(isToken(own) ? own : addressOf(own), null)
  }
  return (
    <ComboBox
      inputValue={text}
      onInputChange={type}
      onSelectionChange={(key) => choose(users.find(({ id }) => id === key))}
      items={users}
      allowsCustomValue
      allowsEmptyCollection={false}
      menuTrigger="focus"
      isInvalid={isChecked && subject === null}
      validationBehavior="aria"
      className="flex flex-col gap-1.5"
    >
      <FieldLabel>User name or address</FieldLabel>
      <Input
        className={inputClass}
        autoCapitalize="none"
        spellCheck={false}
        placeholder="ada, 192.0.2.1, 2001:db8::/64"
      />
      <FieldNotes
        hint={
          subject !== null && (isOneAddress(subject) || isToken(subject))
            ? null
            : 'Of an account that several people use, all its addresses are meant.'
        }
        error={isChecked && subject === null ? 'No user of that name, and no address: choose one of the list.' : null}
      />
      <Popover className="w-(--trigger-width) overflow-y-auto rounded-md border border-line bg-raised p-1 shadow-raised">
        <ListBox<UserItem> className="max-h-60 outline-none">
          {({ id, username, role }) => (
            <ListBoxItem
              id={id}
              textValue={username}
              className="flex h-9 cursor-pointer items-center justify-between gap-3 rounded-md px-2.5 text-sm outline-none focus:bg-hover"
            >
              <span className="truncate">{username}</span>
              <span className="text-ink-soft">{role}</span>
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  )
}
