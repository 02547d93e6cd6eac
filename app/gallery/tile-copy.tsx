'use client'

import { Check, Link2 } from 'lucide-react'
import { useTranslations } from 'use-intl/react'
import { Tip } from '#app/ui/tip.tsx'

interface Props {
  name: string
  /** Whether it has just been copied. */
  isCopied?: boolean
  tabIndex?: number
  onCopy: () => void
  className: string
}

/** Copies the link of a tile's image. Shown while the pointer or the focus is on the tile, and always where there is no pointer. */
export function TileCopy({ name, isCopied = false, tabIndex, onCopy, className }: Props) {
  const t = useTranslations('gallery')
  const label = t(isCopied ? 'linkCopied' : 'copyLink', { name })
  const Sign = isCopied ? Check : Link2
  return (
    <Tip text={label}>
      <button
        type="button"
        aria-label={label}
        tabIndex={tabIndex}
        onClick={onCopy}
        className={`absolute right-0 z-1 grid size-10 place-items-center opacity-0 transition-opacity duration-100 group-focus-within:opacity-100 group-hover:opacity-100 in-data-selecting:hidden! pointer-coarse:opacity-100 ${className}`}
      >
        <Sign
          size={24}
          className="rounded-full bg-black/50 p-1 text-white transition-colors duration-100 hover:bg-black/80"
        />
      </button>
    </Tip>
  )
}
