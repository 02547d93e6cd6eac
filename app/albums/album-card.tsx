'use client'

import Link from 'next/link'
import { useTranslations } from 'use-intl/react'
import type { AlbumItem } from '#app/connection/trpc.ts'
import { visibilityIcons } from '#app/image/visibilities.ts'
import { ownerName } from '#app/ui/owner-name.ts'
import { countText } from './count-text.ts'
import { type Cover, CoverPicture } from './cover.tsx'

/** What a card shows of an album, and no more, because a guest's page has it twice: as HTML and for its script. */
export interface CardItem extends Pick<AlbumItem, 'title' | 'visibility' | 'count'> {
  readonly href: string
  readonly cover: Cover | null
  /** The owner's name, where albums of several are listed. */
  readonly owner: string | null
}

export const toCard = (album: AlbumItem, href: string, showOwner: boolean): CardItem => {
  const { title, visibility, count, cover, owner } = album
  return { title, visibility, count, cover, href, owner: showOwner ? ownerName(owner) : null }
}

export const cards = 'grid grid-cols-2 gap-x-4 gap-y-6 sm:grid-cols-3 lg:grid-cols-4 2xl:grid-cols-6'

/** An album in a list: its cover, with its title and what it holds below. */
export function AlbumCard({ item, isFirst = false }: { item: CardItem; isFirst?: boolean }) {
  const t = useTranslations('albums')
  const { title, visibility, count, cover, href, owner } = item
  const Icon = visibilityIcons[visibility]
  return (
    <li className="min-w-0">
      <Link href={href} prefetch={false} className="group block rounded-lg">
        <span className="relative block aspect-square overflow-hidden rounded-lg bg-sunken shadow-[inset_0_0_0_1px_rgb(128_128_128/0.16)] transition-transform duration-150 group-hover:scale-[1.01]">
          <CoverPicture cover={cover} sizes="(min-width: 64rem) 22vw, 48vw" isFirst={isFirst} />
        </span>
        <span dir="auto" className="mt-2 block truncate font-medium group-hover:underline">
          {title}
        </span>
        <span className="figures flex min-w-0 items-center gap-1.5 text-sm text-ink-soft">
          <Icon size={13} aria-label={t(`visibilityName.${visibility}`)} className="shrink-0" />
          <span className="shrink-0">{countText(count, t)}</span>
          {owner !== null && <span className="truncate">{t('by', { owner })}</span>}
        </span>
      </Link>
    </li>
  )
}
