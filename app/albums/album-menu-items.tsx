'use client'

import { CalendarDays, EyeOff, ImageUp, Share2, Trash2 } from 'lucide-react'
import { useTranslations } from 'use-intl/react'
import type { AlbumItem } from '#app/connection/trpc.ts'
import { FEW } from '#app/gallery/timeline/timeline.ts'
import { Menu, MenuItem } from '#app/ui/menu.tsx'
import type { MenuPopover } from '#app/ui/use-menu-button.ts'

interface Props {
  popover: MenuPopover
  album: AlbumItem
  mayHide: boolean
  /** Makes a share of it; absent where the viewer may not. */
  onShare: (() => void) | undefined
  onFirstAsCover: () => void
  onDelete: () => void
  onHide: () => void
}

export default function AlbumMenuItems(props: Props) {
  const { popover, album, mayHide, onShare, onFirstAsCover, onDelete, onHide } = props
  const t = useTranslations('albums')
  const tSharing = useTranslations('sharing')
  return (
    <Menu aria-label={t('more')} popover={popover} placement="bottom start">
      {onShare && <MenuItem icon={Share2} label={tSharing('shareByLink')} onAction={onShare} />}
      {album.mayEdit && album.count.count > FEW && (
        <MenuItem icon={CalendarDays} label={t('byMonth')} href={`/?album=${album.id}`} />
      )}
      {album.coverId !== null && <MenuItem icon={ImageUp} label={t('firstAsCover')} onAction={onFirstAsCover} />}
      {album.mayEdit && <MenuItem icon={Trash2} tone="danger" label={t('delete')} onAction={onDelete} />}
      {mayHide && <MenuItem icon={EyeOff} tone="danger" label={t('hide')} onAction={onHide} />}
    </Menu>
  )
}
