'use client'

import { Eraser, Pencil } from 'lucide-react'
import { useTranslations } from 'use-intl/react'
import { Menu, MenuItem } from '#app/ui/menu.tsx'
import type { MenuPopover } from '#app/ui/use-menu-button.ts'

interface Props {
  popover: MenuPopover
  label: string
  /** Null where it cannot be done. */
  onReset: (() => void) | null
  onOverride: (() => void) | null
}

/** The menu of a subject, loaded with React Aria's menu when it is first needed. */
export default function SubjectMenuItems({ popover, label, onReset, onOverride }: Props) {
  const t = useTranslations('adminLimits')
  return (
    <Menu aria-label={label} popover={popover}>
      {onReset && <MenuItem icon={Eraser} label={t('resetUsage')} onAction={onReset} />}
      {onOverride && <MenuItem icon={Pencil} label={t('overrideSubject')} onAction={onOverride} />}
    </Menu>
  )
}
