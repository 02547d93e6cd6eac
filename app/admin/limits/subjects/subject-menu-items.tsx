'use client'

import { Ban, Eraser, Pencil, ScanSearch } from 'lucide-react'
import { useTranslations } from 'use-intl/react'
import { Menu, MenuItem } from '#app/ui/menu.tsx'
import type { MenuPopover } from '#app/ui/use-menu-button.ts'

interface Props {
  popover: MenuPopover
  label: string
  /** Null where it cannot be done. */
  onReset: (() => void) | null
  onOverride: (() => void) | null
  onBlock: (() => void) | null
  onBlockValue: (() => void) | null
  onExplain: (() => void) | null
}

/** The menu of a subject, loaded with React Aria's menu when it is first needed. */
export default function SubjectMenuItems({
  popover,
  label,
  onReset,
  onOverride,
  onBlock,
  onBlockValue,
  onExplain,
}: Props) {
  const t = useTranslations('adminLimits')
  const tBlocks = useTranslations('adminBlocks')
  const tExplain = useTranslations('adminExplain')
  return (
    <Menu aria-label={label} popover={popover}>
      {onExplain && <MenuItem icon={ScanSearch} label={tExplain('title')} onAction={onExplain} />}
      {onReset && <MenuItem icon={Eraser} label={t('resetUsage')} onAction={onReset} />}
      {onOverride && <MenuItem icon={Pencil} label={t('overrideSubject')} onAction={onOverride} />}
      {onBlock && <MenuItem icon={Ban} label={tBlocks('block')} onAction={onBlock} />}
      {onBlockValue && <MenuItem icon={Ban} label={tBlocks('blockValue')} onAction={onBlockValue} />}
    </Menu>
  )
}
