'use client'

import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
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
  const own = text.trim()
  const { users, isAwaited } = useFoundUsers(own)
  const named = users.find(({ username }) => username.toLowerCase() === own.toLowerCase())
  const take = useEffectEvent(() => {
    if (named && named.id !== subject) onChange(named.id, named.username)
  })
  // A name is typed or chosen; the list may come after it.
  useEffect(() => take())
  useStillPage()
  const type = (typed: string) => {
    if (typed === text) return
    setText(typed)
    const key = typed.trim()
    onChange(isHolder(key) ? key : findCountedAddress(key), null)
  }
  return (
    <ComboBox
      inputValue={text}
      onInputChange={type}
      onSelectionChange={(key) => setText(users.find(({ id }) => id === key)?.username ?? text)}
      items={users}
      allowsCustomValue
      allowsEmptyCollection={isAwaited}
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
      <Names />
    </ComboBox>
  )
}

/** The list of users. */
function Names() {
  const t = useTranslations('adminOverrides')
  return (
    <Popover className="w-(--trigger-width) overflow-y-auto rounded-md border border-line bg-raised p-1 shadow-raised">
      <ListBox<UserItem>
        className="max-h-60 outline-none"
        renderEmptyState={() => <p className="px-2.5 py-2 text-sm text-ink-soft">{t('subjectAwaited')}</p>}
      >
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
  )
}

/** The users that a text finds. Those of the text before stay until the next ones have come, so that the list is not closed for being
 *  empty. */
function useFoundUsers(text: string): { users: readonly UserItem[]; isAwaited: boolean } {
  const search = useSettled(text)
  const options = useUserListOptions(search ? { search } : {})
  const query = useInfiniteQuery(options)
  return { users: query.data?.pages.flatMap(({ items }) => items) ?? [], isAwaited: query.isPending }
}

/** React Aria closes a list when anything around it scrolls. The page beneath a dialog cannot be scrolled, but moves by itself when
 *  what it shows changes in height: the list stays open then, and takes its place again. */
function useStillPage(): void {
  useEffect(() => {
    const hold = (event: Event) => {
      if (event.target !== document) return
      event.stopImmediatePropagation()
      window.dispatchEvent(new Event('resize'))
    }
    window.addEventListener('scroll', hold, { capture: true })
    return () => window.removeEventListener('scroll', hold, { capture: true })
  }, [])
}
