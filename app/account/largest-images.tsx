'use client'

import Link from 'next/link'
import { useTranslations } from 'use-intl/react'
import type { ImageItem } from '#app/connection/trpc.ts'
import { useFormat } from '#app/ui/use-format.ts'

/** The viewer's largest images, each with a link to its page, where it can be deleted. */
export function LargestImages({ images }: { images: readonly ImageItem[] }) {
  const t = useTranslations('account')
  const format = useFormat()
  if (images.length === 0) return null
  return (
    <div>
      <h3 className="mb-1.5 text-sm font-medium">{t('largest')}</h3>
      <ul className="divide-y divide-line rounded-md border border-line bg-surface">
        {images.map(({ id, slug, thumbnailUrl, title, size }) => (
          <li key={id}>
            <Link
              href={`/image/${slug}`}
              prefetch={false}
              className="flex items-center gap-3 px-3 py-2 text-sm hover:bg-hover focus-visible:-outline-offset-2"
            >
              {thumbnailUrl && (
                <img src={thumbnailUrl} alt="" loading="lazy" className="size-9 shrink-0 rounded-[3px] object-cover" />
              )}
              <bdi className="min-w-0 flex-1 truncate">{title}</bdi>
              <span className="figures text-ink-soft">{format.bytes(size)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}
