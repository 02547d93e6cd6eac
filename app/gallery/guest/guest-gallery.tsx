import type { ReactNode } from 'react'
import type { ImageItem } from '#app/connection/trpc.ts'
import { placeholderColour } from '#app/image/placeholder.ts'
import { RefusedPage } from '#app/limits/refused-page.tsx'
import { translatorOfRequest } from '#app/locale.ts'
import { buttonClass } from '#app/ui/button-class.ts'
import { ownerName } from '#app/ui/owner-name.ts'
import { callerOfRequest, unlessRefused } from '#app/viewer.ts'
import { EmptyList } from '../empty-list.tsx'
import { justified, rowHeights } from '../tile-shape.ts'
import { GuestTile, type GuestTileItem } from './guest-tile.tsx'

const PAGE_SIZE = 40

/** How many images are surely in view at once. */
const FIRST = 4

/** How many pages back the address leads; further back is the first page. */
const MOST_STEPS = 20

/** A page of the public gallery. `after` is where this page and those before it begin: the cursors that led here. */
export async function GuestGallery({ after }: { after: readonly string[] }) {
  const translate = await translatorOfRequest()
  const { image } = await callerOfRequest()
  const cursor = after.at(-1)
  const { value: page, limit } = await unlessRefused(
    image.list({ scope: 'gallery', limit: PAGE_SIZE, ...(cursor !== undefined && { cursor }) }),
  )
  const tiles = page?.items.flatMap(toTile) ?? []
  const next = page?.nextCursor
  return (
    <div className="px-4 sm:px-6">
      <h1 className="flex h-14 items-center text-lg font-semibold">{translate('gallery.titlePublic')}</h1>
      {limit && <RefusedPage limit={limit} />}
      {page && tiles.length === 0 && <EmptyList>{translate('gallery.emptyPublic')}</EmptyList>}
      {tiles.length > 0 && (
        <ul aria-label={translate('gallery.listLabel')} className={`${justified} ${rowHeights}`}>
          {tiles.map((item, at) => (
            <GuestTile key={item.href} item={item} isFirst={at < FIRST} />
          ))}
        </ul>
      )}
      {(cursor !== undefined || next) && (
        <nav aria-label={translate('gallery.pages')} className="flex flex-wrap justify-center gap-2 py-8">
          {cursor !== undefined && (
            <PageLink rel="prev" after={after.slice(0, -1)}>
              {translate('gallery.newer')}
            </PageLink>
          )}
          {next && (
            <PageLink rel="next" after={[...after, next]}>
              {translate('gallery.older')}
            </PageLink>
          )}
        </nav>
      )}
    </div>
  )
}

function PageLink({ rel, after, children }: { rel: 'prev' | 'next'; after: readonly string[]; children: ReactNode }) {
  const query = new URLSearchParams(after.slice(-MOST_STEPS).map((cursor) => ['after', cursor]))
  return (
    <a rel={rel} href={after.length === 0 ? '/' : `/?${query}`} className={buttonClass('plain')}>
      {children}
    </a>
  )
}

function toTile({ slug, title, owner, placeholder, ...image }: ImageItem): GuestTileItem[] {
  const { url, variants, frames, mime, width, height } = image
  if (slug === null) return []
  return [
    {
      ...{ url, variants, frames, mime, width, height },
      href: `/image/${slug}`,
      name: title ?? '',
      owner: ownerName(owner),
      colour: placeholder && placeholderColour(placeholder),
    },
  ]
}
