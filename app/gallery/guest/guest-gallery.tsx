import { RefusedPage } from '#app/limits/refused-page.tsx'
import { translatorOfRequest } from '#app/locale.ts'
import { GuestTiles } from '#app/shell/guest-parts.ts'
import { buttonClass } from '#app/ui/button-class.ts'
import { callerOfRequest, unlessRefused } from '#app/viewer.ts'
import { EmptyList } from '../empty-list.tsx'
import type { GalleryAddress } from '../first-page.ts'
import { FilterLinks, type GuestFilter } from './filter-links.tsx'
import { findProfile } from './find-profile.ts'
import { PageLinks } from './page-links.tsx'
import { readAfter } from './read-after.ts'
import { toTile } from './to-tile.ts'

const PAGE_SIZE = 40

/** A page of the public gallery, narrowed by a tag and an owner if its address says so. */
export async function GuestGallery({ address }: { address: GalleryAddress }) {
  const after = readAfter(address)
  const filter = readFilter(address)
  const { owner } = filter
  const translate = await translatorOfRequest()
  const { image } = await callerOfRequest()
  const { value: page, limit } = await unlessRefused(
    image.list({
      ...{ scope: 'gallery', limit: PAGE_SIZE, query: filter },
      previous: true,
      ...(after !== undefined && { cursor: after }),
    }),
  )
  const profile = owner === undefined ? null : await findProfile(owner)
  const items = page?.items ?? []
  const tiles = items.flatMap(toTile)
  const name = profile?.displayName ?? (owner === undefined ? null : (items[0]?.owner.name ?? null))
  const isNarrowed = Object.keys(filter).length > 0
  return (
    <div className="px-4 sm:px-6">
      <div className="flex min-h-14 flex-wrap items-center justify-between gap-x-6 py-2">
        <h1 className="text-lg font-semibold">{translate('gallery.titlePublic')}</h1>
        {profile && (
          <a href={`/u/${profile.name}`} className={buttonClass('plain', 'small')}>
            {translate('profile.pageOf', { name: profile.displayName ?? profile.name })}
          </a>
        )}
        {owner === undefined && (
          <a href="/albums" className={buttonClass('plain', 'small')}>
            {translate('albums.publicAlbums')}
          </a>
        )}
      </div>
      {limit && <RefusedPage limit={limit} />}
      {page && <FilterLinks filter={filter} items={items} ownerName={name} />}
      {page && tiles.length === 0 && (
        <EmptyList>{translate(isNarrowed ? 'gallery.emptyFiltered' : 'gallery.emptyPublic')}</EmptyList>
      )}
      {tiles.length > 0 && <GuestTiles label={translate('gallery.listLabel')} items={tiles} />}
      <PageLinks
        path="/"
        filter={{ ...filter }}
        label={translate('gallery.pages')}
        previous={translate('gallery.newer')}
        next={translate('gallery.older')}
        after={after}
        cursors={page}
      />
    </div>
  )
}

const first = (value: string | readonly string[] = []): string | undefined => [value].flat()[0]

function readFilter(address: GalleryAddress): GuestFilter {
  const [tag, owner] = [first(address.tag), first(address.owner)]
  return { ...(tag && { tag }), ...(owner && { owner }) }
}
