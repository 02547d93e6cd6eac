'use client'

import { useTranslations } from 'use-intl/react'
import type { Visibility } from '#app/connection/trpc.ts'
import { visibilities, visibilityIcons } from '#app/image/visibilities.ts'
import { Menu, MenuItem } from '#app/ui/menu.tsx'
import type { MenuPopover } from '#app/ui/use-menu-button.ts'

interface Props {
  popover: MenuPopover
  onChoose: (visibility: Visibility) => void
}

/** The visibilities that the selected images can have. */
export default function VisibilityItems({ popover, onChoose }: Props) {
  const t = useTranslations('gallery')
  const tImage = useTranslations('image')
  return (
    <Menu aria-label={t('visibility')} popover={popover}>
      {visibilities.map((visibility) => (
        <MenuItem
          key={visibility}
          icon={visibilityIcons[visibility]}
          label={tImage(`visibilityName.${visibility}`)}
          onAction={() => onChoose(visibility)}
        />
      ))}
    </Menu>
  )
}
