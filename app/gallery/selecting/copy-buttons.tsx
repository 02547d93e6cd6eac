'use client'

import { ChevronDown, Link2 } from 'lucide-react'
import { useTranslations } from 'use-intl/react'
import type { ImageItem } from '#app/connection/trpc.ts'
import { IconButton } from '#app/ui/icon-button.tsx'
import { late } from '#app/ui/late.tsx'
import { useMenuButton } from '#app/ui/use-menu-button.ts'
import { BarButton } from './selection-bar.tsx'

const LinkFormatItems = late(() => import('./link-format-items.tsx'))

interface Props {
  /** The images that the viewer may open. */
  readable: readonly ImageItem[]
  onCopy: (images: readonly ImageItem[]) => void
}

/** Copies the links of the selected images in the browser's format, and in another one that is chosen and remembered. */
export function CopyButtons({ readable, onCopy }: Props) {
  const t = useTranslations('gallery')
  const { button, isOpen, popover } = useMenuButton(LinkFormatItems.load)
  const isDisabled = readable.length === 0
  return (
    <span className="flex items-center">
      <BarButton
        until="wide"
        icon={Link2}
        word={t('copyLinks')}
        isDisabled={isDisabled}
        onPress={() => onCopy(readable)}
      />
      <IconButton
        {...button}
        label={t('linkFormat')}
        isDisabled={isDisabled}
        className="w-6! max-sm:in-data-bar-actions:h-11"
      >
        <ChevronDown size={15} />
      </IconButton>
      {isOpen && <LinkFormatItems popover={popover} onChosen={() => onCopy(readable)} />}
    </span>
  )
}
