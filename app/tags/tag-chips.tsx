'use client'

import { X } from 'lucide-react'
import Link from 'next/link'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl/react'
import { IconButton } from '#app/ui/icon-button.tsx'

interface Props {
  tags: readonly string[]
  /** Names what the tags are those of. */
  label: string
  /** Whether a tag opens the reader's images that have it. */
  isLinked?: boolean
  onRemove: (tag: string) => void
  /** A last item, for example a button. */
  children?: ReactNode
}

/** Returns the address of one's own images with a tag. */
export const tagHref = (tag: string): string => `/?${new URLSearchParams({ tag })}`

/** Tags that can be removed. */
export function TagChips({ tags, label, isLinked = false, onRemove, children }: Props) {
  const t = useTranslations('tags')
  return (
    <ul aria-label={label} className="flex flex-wrap gap-1.5">
      {tags.map((tag) => (
        <li key={tag} className="flex h-8 max-w-full items-center rounded-full bg-sunken text-sm">
          {isLinked ? (
            <Link
              href={tagHref(tag)}
              prefetch={false}
              dir="auto"
              className="flex h-full min-w-0 items-center rounded-full pl-3 hover:underline"
            >
              <span className="truncate">{tag}</span>
            </Link>
          ) : (
            <span dir="auto" className="truncate pl-3">
              {tag}
            </span>
          )}
          <IconButton
            tone="bare"
            label={t('remove', { tag })}
            onPress={() => onRemove(tag)}
            className="grid size-8 shrink-0 place-items-center rounded-full text-ink-soft hover:text-ink"
          >
            <X size={14} />
          </IconButton>
        </li>
      ))}
      {children && <li>{children}</li>}
    </ul>
  )
}
