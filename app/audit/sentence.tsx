'use client'

import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl/react'
import { type AuditItem, isKnownAct, nameTarget } from './acts.ts'

interface Props {
  item: AuditItem
  /** The account of the reader, who is addressed as “you”; null to name everyone. */
  reader?: { readonly username: string } | null
}

/** An act in words. Names are isolated, so that direction marks in one do not reorder the sentence. */
export function ActSentence({ item, reader = null }: Props) {
  const t = useTranslations('audit')
  const { action, actor, account } = item
  const named = (name: string): ReactNode => <bdi className="font-medium break-words">{shorten(name)}</bdi>
  const isOwn = (name: string): boolean => reader !== null && name === reader.username
  const unnamed = actor.id === null ? t('guest') : t('admin')
  const actorName = actor.name === '' ? unnamed : actor.id === null ? t('commandLine') : actor.name
  const parts = {
    actor: () => named(isOwn(actorName) ? t('mine.you') : actorName),
    account: () => named(account === null ? '' : isOwn(account.name) ? t('mine.yours') : account.name),
    target: () => named(nameTarget(item)),
  }
  if (action === 'account.signInFailed' && account === null) return t('failedNames')
  if (isKnownAct(action)) return t.rich(`act.${action}`, parts)
  return t.rich('otherAct', { ...parts, action })
}

/** Names and titles are shown up to this length; the details have all of them. */
const LONGEST = 80

const shorten = (name: string): string => (name.length > LONGEST ? `${name.slice(0, LONGEST)}…` : name)
