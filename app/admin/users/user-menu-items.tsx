'use client'

import { Ban, HardDrive, KeyRound, ShieldCheck, ShieldOff, Trash2, Undo2 } from 'lucide-react'
import { useTranslations } from 'use-intl/react'
import { Menu, MenuItem } from '#app/ui/menu.tsx'
import type { MenuPopover } from '#app/ui/use-menu-button.ts'
import type { UserAction } from './user-actions.ts'

const faces = {
  role: { icon: ShieldCheck, tone: 'plain' },
  quota: { icon: HardDrive, tone: 'plain' },
  password: { icon: KeyRound, tone: 'plain' },
  factors: { icon: ShieldOff, tone: 'plain' },
  ban: { icon: Ban, tone: 'plain' },
  unban: { icon: Undo2, tone: 'plain' },
  delete: { icon: Trash2, tone: 'danger' },
} as const satisfies Record<UserAction, object>

interface Props {
  popover: MenuPopover
  label: string
  actions: readonly UserAction[]
  onTask: (action: UserAction) => void
}

/** The menu of an account, loaded with React Aria's menu when it is first needed. */
export default function UserMenuItems({ popover, label, actions, onTask }: Props) {
  const t = useTranslations('adminUsers')
  return (
    <Menu aria-label={label} popover={popover}>
      {actions.map((action) => (
        <MenuItem key={action} label={t(`action.${action}`)} {...faces[action]} onAction={() => onTask(action)} />
      ))}
    </Menu>
  )
}
