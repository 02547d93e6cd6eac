'use client'

import { Ban, Ellipsis, HardDrive, KeyRound, ShieldCheck, Trash2, Undo2 } from 'lucide-react'
import { MenuTrigger } from 'react-aria-components'
import { useTranslations } from 'use-intl/react'
import type { UserItem } from '#app/connection/trpc.ts'
import { useAccount } from '#app/shell/session.tsx'
import { AriaIconButton } from '#app/ui/aria-icon-button.tsx'
import { Menu, MenuItem } from '#app/ui/menu.tsx'
import { LocalDate } from '#app/ui/moment.tsx'
import { Tag } from '#app/ui/tag.tsx'
import type { Translate } from '#app/ui/translate.ts'
import { useFormat } from '#app/ui/use-format.ts'
import type { Formats } from '#format/formats.ts'
import { actionsFor, type UserAction } from './user-actions.ts'

const faces = {
  role: { icon: ShieldCheck, tone: 'plain' },
  quota: { icon: HardDrive, tone: 'plain' },
  password: { icon: KeyRound, tone: 'plain' },
  ban: { icon: Ban, tone: 'plain' },
  unban: { icon: Undo2, tone: 'plain' },
  delete: { icon: Trash2, tone: 'danger' },
} as const satisfies Record<UserAction, object>

/** One account: a row, or a card on a phone. */
export function UserRow({ user, onTask }: { user: UserItem; onTask: (action: UserAction) => void }) {
  const t = useTranslations('adminUsers')
  const format = useFormat()
  const viewer = useAccount()
  const actions = actionsFor(viewer, user)
  const label = t('actions', { username: user.username })
  const space = formatSpace(user, t, format)
  return (
    <li className="grid min-h-15 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 px-4 py-2.5 md:grid-cols-[minmax(0,1fr)_7rem_10rem_11rem_2.5rem]">
      <div className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1">
        <span className={`max-w-full truncate font-medium ${user.banned ? 'text-ink-soft line-through' : ''}`}>
          {user.username}
        </span>
        {user.id === viewer.userId && <span className="text-sm text-ink-soft">{t('you')}</span>}
        {user.role !== 'user' && <Tag tone="water">{t(`roles.${user.role}`)}</Tag>}
        {user.shared && <Tag tone="plain">{t('shared')}</Tag>}
        {user.banned && <Tag tone="danger">{t('banned')}</Tag>}
      </div>
      <p className="figures col-start-1 text-sm text-ink-soft md:col-start-2">
        {t('images', { count: user.images })}
        <span className="md:hidden">{` · ${space}`}</span>
      </p>
      <p className="figures hidden text-sm text-ink-soft md:block">{space}</p>
      <p className="figures hidden text-sm text-ink-soft md:block">
        {t.rich('joined', { date: () => <LocalDate iso={user.createdAt} /> })}
      </p>
      <div className="col-start-2 row-span-2 row-start-1 justify-self-end md:col-start-5 md:row-span-1">
        {actions.length > 0 && (
          <MenuTrigger>
            <AriaIconButton size="icon" label={label}>
              <Ellipsis size={19} />
            </AriaIconButton>
            <Menu aria-label={label}>
              {actions.map((action) => (
                <MenuItem
                  key={action}
                  label={t(`action.${action}`)}
                  {...faces[action]}
                  onAction={() => onTask(action)}
                />
              ))}
            </Menu>
          </MenuTrigger>
        )}
      </div>
    </li>
  )
}

/** Formats the space that a user's images use, with the quota if it is custom. */
function formatSpace({ usedBytes, quotaBytes }: UserItem, t: Translate<'adminUsers'>, format: Formats): string {
  const used = format.bytes(usedBytes)
  return quotaBytes === null ? used : t('space', { used, quota: format.bytes(quotaBytes) })
}
