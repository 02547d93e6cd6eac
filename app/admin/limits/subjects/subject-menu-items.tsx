'use client'

import { Ban, Eraser, Pencil, ScanSearch } from 'lucide-react'
import { useTranslations } from 'use-intl/react'
import { Menu, MenuItem } from '#app/ui/menu.tsx'
import type { MenuPopover } from '#app/ui/use-menu-button.ts'

/** What can be done with a subject. What is missing cannot. */
export type Acts = Partial<Record<'explain' | 'reset' | 'override' | 'block' | 'blockValue', (() => void) | undefined>>

interface Props {
  popover: MenuPopover
  label: string
  acts: Acts
}

/** The menu of a subject, loaded with React Aria's menu when it is first needed. */
export default function SubjectMenuItems({ popover, label, acts }: Props) {
  const t = useTranslations('adminLimits')
  const tBlocks = useTranslations('adminBlocks')
  const tExplain = useTranslations('adminExplain')
  const { explain, reset, override, block, blockValue } = acts
  return (
    <Menu aria-label={label} popover={popover}>
      {explain && <MenuItem icon={ScanSearch} label={tExplain('title')} onAction={explain} />}
      {reset && <MenuItem icon={Eraser} label={t('resetUsage')} onAction={reset} />}
      {override && <MenuItem icon={Pencil} label={t('overrideSubject')} onAction={override} />}
      {block && <MenuItem icon={Ban} label={tBlocks('block')} onAction={block} />}
      {blockValue && <MenuItem icon={Ban} label={tBlocks('blockValue')} onAction={blockValue} />}
    </Menu>
  )
}
