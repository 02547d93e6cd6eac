'use client'

import { Ban, Ellipsis, HardDrive, KeyRound, ShieldCheck, Trash2, Undo2 } from 'lucide-react'
import { MenuTrigger } from 'react-aria-components'
import type { UserItem } from '#app/connection/trpc.ts'
import { useAccount } from '#app/shell/session.tsx'
import { IconButton } from '#app/ui/icon-button.tsx'
import { Menu, MenuItem } from '#app/ui/menu.tsx'
import { Moment } from '#app/ui/moment.tsx'
import { Tag } from '#app/ui/tag.tsx'
import { formatBytes } from '#format/bytes.ts'
import { count } from '#format/counts.ts'
import { actionsFor, type UserAction } from './user-actions.ts'

const faces = {
  role: { icon: ShieldCheck, label: 'Role and sharing', tone: 'plain' },
  quota: { icon: HardDrive, label: 'Storage quota', tone: 'plain' },
  password: { icon: KeyRound, label: 'Reset password', tone: 'plain' },
  ban: { icon: Ban, label: 'Ban', tone: 'plain' },
  unban: { icon: Undo2, label: 'Lift the ban', tone: 'plain' },
  delete: { icon: Trash2, label: 'Delete', tone: 'danger' },
} as const satisfies Record<UserAction, object>

/** One account: a line of columns, on a phone a card. */
export function UserRow({ user, onTask }: { user: UserItem; onTask: (action: UserAction) => void }) {
  const viewer = useAccount()
  const actions = actionsFor(viewer, user)
  const label = `Actions for ${user.username}`
  return (
    <li className="grid min-h-15 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 px-4 py-2.5 md:grid-cols-[minmax(0,1fr)_7rem_10rem_11rem_2.5rem]">
      <div className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1">
        <span className={`max-w-full truncate font-medium ${user.banned ? 'text-ink-soft line-through' : ''}`}>
          {user.username}
        </span>
        {user.id === viewer.userId && <span className="text-sm text-ink-soft">you</span>}
        {user.role !== 'user' && <Tag tone="water">{user.role}</Tag>}
        {user.shared && <Tag tone="plain">shared</Tag>}
        {user.banned && <Tag tone="danger">banned</Tag>}
      </div>
      <p className="figures col-start-1 text-sm text-ink-soft md:col-start-2">
        {count(user.images, 'image')}
        <span className="md:hidden">{` · ${spaceOf(user)}`}</span>
      </p>
      <p className="figures hidden text-sm text-ink-soft md:block">{spaceOf(user)}</p>
      <p className="figures hidden text-sm text-ink-soft md:block">
        since <Moment iso={user.createdAt} />
      </p>
      <div className="col-start-2 row-span-2 row-start-1 justify-self-end md:col-start-5 md:row-span-1">
        {actions.length > 0 && (
          <MenuTrigger>
            <IconButton size="icon" label={label}>
              <Ellipsis size={19} />
            </IconButton>
            <Menu aria-label={label}>
              {actions.map((action) => (
                <MenuItem key={action} {...faces[action]} onAction={() => onTask(action)} />
              ))}
            </Menu>
          </MenuTrigger>
        )}
      </div>
    </li>
  )
}

/** What their images take; of how much, where that is not the site's quota. */
const spaceOf = ({ usedBytes, quotaBytes }: UserItem): string =>
  quotaBytes === null ? formatBytes(usedBytes) : `${formatBytes(usedBytes)} of ${formatBytes(quotaBytes)}`
