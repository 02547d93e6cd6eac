'use client'

import { Ellipsis } from 'lucide-react'
import { useTranslations } from 'use-intl/react'
import type { UserItem } from '#app/connection/trpc.ts'
import { useAccount } from '#app/shell/session.tsx'
import { Avatar } from '#app/ui/avatar.tsx'
import { IconButton } from '#app/ui/icon-button.tsx'
import { late } from '#app/ui/late.tsx'
import { LocalDate } from '#app/ui/moment.tsx'
import { Tag } from '#app/ui/tag.tsx'
import type { Translate } from '#app/ui/translate.ts'
import { useFormat } from '#app/ui/use-format.ts'
import { useMenuButton } from '#app/ui/use-menu-button.ts'
import type { Formats } from '#format/formats.ts'
import { actionsFor, type UserAction } from './user-actions.ts'

const UserMenuItems = late(() => import('./user-menu-items.tsx'))

interface Props {
  user: UserItem
  /** Null for viewers who cannot select accounts. */
  isSelected: boolean | null
  onSelect: () => void
  onTask: (action: UserAction) => void
}

/** One account: a row, or a card on a phone. */
export function UserRow({ user, isSelected, onSelect, onTask }: Props) {
  const t = useTranslations('adminUsers')
  const format = useFormat()
  const viewer = useAccount()
  const actions = actionsFor(viewer, user)
  const { button, isOpen, popover } = useMenuButton(UserMenuItems.load)
  const label = t('actions', { username: user.username })
  const space = formatSpace(user, t, format)
  return (
    <li className={`flex min-h-15 items-center gap-3 px-3 py-2.5 sm:px-4 ${isSelected ? 'bg-water-soft' : ''}`}>
      {isSelected !== null && (
        <input
          type="checkbox"
          aria-label={t('select', { username: user.username })}
          checked={isSelected}
          onChange={onSelect}
          className="size-4.5 shrink-0"
        />
      )}
      <Avatar name={user.displayName ?? user.username} picture={user.picture} className="size-9 text-sm" />
      <div className="grid min-w-0 flex-1 items-center gap-x-4 md:grid-cols-[minmax(0,1fr)_9rem_12.5rem]">
        <div className="min-w-0">
          <div className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1">
            <span className={`max-w-full truncate font-medium ${user.banned ? 'text-ink-soft line-through' : ''}`}>
              {user.username}
            </span>
            {user.id === viewer.userId && <span className="text-sm text-ink-soft">{t('you')}</span>}
            {user.role !== 'user' && <Tag tone="water">{t(`roles.${user.role}`)}</Tag>}
            {user.shared && <Tag tone="plain">{t('shared')}</Tag>}
            {user.banned && <Tag tone="danger">{t('banned')}</Tag>}
          </div>
          {user.displayName !== null && <bdi className="block truncate text-sm text-ink-soft">{user.displayName}</bdi>}
          {user.email !== null && <span className="block truncate text-sm text-ink-soft">{user.email}</span>}
          {user.banReason !== null && (
            <p className="text-sm break-words text-ink-soft">{t('banReasonIs', { reason: user.banReason })}</p>
          )}
        </div>
        <p className="figures text-sm text-ink-soft">
          {t('images', { count: user.images })}
          <span className="md:hidden"> · </span>
          <span className="md:block">{space}</span>
        </p>
        <p className="figures text-sm text-ink-soft">
          {!viewer.shared && (
            <span className="block">
              {user.lastSeenAt === null
                ? t('neverSeen')
                : t.rich('seen', { date: () => <LocalDate iso={user.lastSeenAt ?? ''} time /> })}
            </span>
          )}
          <span className="max-md:hidden">{t.rich('joined', { date: () => <LocalDate iso={user.createdAt} /> })}</span>
        </p>
      </div>
      <div className="shrink-0">
        {actions.length > 0 && (
          <IconButton {...button} size="icon" label={label}>
            <Ellipsis size={19} />
          </IconButton>
        )}
        {isOpen && <UserMenuItems popover={popover} label={label} actions={actions} onTask={onTask} />}
      </div>
    </li>
  )
}

/** Formats the space that a user's images use, with the quota if it is custom. */
function formatSpace({ usedBytes, quotaBytes }: UserItem, t: Translate<'adminUsers'>, format: Formats): string {
  const used = format.bytes(usedBytes)
  return quotaBytes === null ? used : t('space', { used, quota: format.bytes(quotaBytes) })
}
