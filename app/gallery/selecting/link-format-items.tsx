'use client'

import { useTranslations } from 'use-intl/react'
import { setLinkFormat, useLinkFormat } from '#app/image/link-format.ts'
import { linkFormats } from '#app/image/snippets.ts'
import { Menu, MenuItem } from '#app/ui/menu.tsx'
import type { MenuPopover } from '#app/ui/use-menu-button.ts'

interface Props {
  popover: MenuPopover
  /** Called once the chosen format is remembered. */
  onChosen: () => void
}

/** The formats in which links are copied, as on an image's page. */
export default function LinkFormatItems({ popover, onChosen }: Props) {
  const t = useTranslations('gallery')
  const tImage = useTranslations('image')
  const chosen = useLinkFormat()
  return (
    <Menu aria-label={t('linkFormat')} popover={popover} selectionMode="single" selectedKeys={[chosen]}>
      {linkFormats.map((format) => (
        <MenuItem
          key={format}
          id={format}
          label={tImage(`linkName.${format}`)}
          isChosen={format === chosen}
          onAction={() => {
            setLinkFormat(format)
            onChosen()
          }}
        />
      ))}
    </Menu>
  )
}
