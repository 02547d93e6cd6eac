'use client'

import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ComboBox, Input, ListBox, ListBoxItem, Popover } from 'react-aria-components'
import { useTranslations } from 'use-intl/react'
import type { UserItem } from '#app/connection/trpc.ts'
import { FieldLabel, FieldNotes } from '#app/ui/aria-field.tsx'
import { inputClass } from '#app/ui/input-class.ts'
import { useSettled } from '#app/ui/use-settled.ts'
import { useUserListOptions } from '../../users/use-users.ts'
import { findCountedAddress, isHolder, isOneAddress, namedSubject } from './subject-text.ts'

interface Props {
  /** In the form of the limiter's keys. */
  subject: string | null
  name: string | null
  onChange: (subject: string | null, name: string | null) => void
  isChecked: boolean
}

/** One user, found by name, or one address. */
export function SubjectField({ subject, name, onChange, isChecked }: Props) {
  const t = useTranslations('adminOverrides')
  const tLimits = useTranslations('adminLimits')
  const [text, setText] = useState(subject === null ? '' : namedSubject(tLimits, subject, name))
  const search = useSettled(text.trim())
  const query = useInfiniteQuery(useUserListOptions(search ? { search } : {}))
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
    else onChange(isHolder(own) ? own : findCountedAddress(own), null)
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
      <FieldLabel>{t('subject')}</FieldLabel>
      <Input className={inputClass} autoCapitalize="none" spellCheck={false} placeholder={t('subjectExample')} />
      <FieldNotes
        hint={subject !== null && (isOneAddress(subject) || isHolder(subject)) ? null : t('subjectHint')}
        error={isChecked && subject === null ? t('subjectUnknown') : null}
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
