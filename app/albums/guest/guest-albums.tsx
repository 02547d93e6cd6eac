import { EmptyList } from '#app/gallery/empty-list.tsx'
import { PageLinks } from '#app/gallery/guest/page-links.tsx'
import { RefusedPage } from '#app/limits/refused-page.tsx'
import { translatorOfRequest } from '#app/locale.ts'
import { GuestCards } from '#app/shell/guest-parts.ts'
import { buttonClass } from '#app/ui/button-class.ts'
import { ownerName } from '#app/ui/owner-name.ts'
import { callerOfRequest, unlessRefused } from '#app/viewer.ts'
import type { CardItem } from '../album-card.tsx'
import { toGuestCard } from './to-guest-card.ts'

const PAGE_SIZE = 24

interface Props {
  /** Where this page begins; undefined for the first. */
  after: string | undefined
  /** Only the albums of this user. */
  owner: string | undefined
}

/** A page of the public albums. */
export async function GuestAlbums({ after, owner }: Props) {
  const translate = await translatorOfRequest()
  const { album } = await callerOfRequest()
  const filter: { owner?: string } = owner === undefined ? {} : { owner }
  const { value: page, limit } = await unlessRefused(
    album.list({
      scope: 'gallery',
      ...filter,
      limit: PAGE_SIZE,
      previous: true,
      ...(after !== undefined && { cursor: after }),
    }),
  )
  const [first] = page?.items ?? []
  const name = owner === undefined || !first ? null : ownerName(first.owner)
  const albums: CardItem[] = page?.items.map(toGuestCard) ?? []
  return (
    <div className="px-4 sm:px-6">
      <div className="flex min-h-14 flex-wrap items-center justify-between gap-x-6 py-2">
        <h1 className="min-w-0 text-lg font-semibold">
          {name === null ? (
            translate('albums.publicAlbums')
          ) : (
            <bdi className="block truncate">{translate('albums.publicAlbumsBy', { owner: name })}</bdi>
          )}
        </h1>
        <a
          href={owner === undefined ? '/' : `/?${new URLSearchParams({ owner })}`}
          className={buttonClass('plain', 'small')}
        >
          {translate('gallery.titlePublic')}
        </a>
      </div>
      {limit && <RefusedPage limit={limit} />}
      {page && albums.length === 0 && <EmptyList>{translate('albums.emptyPublic')}</EmptyList>}
      {albums.length > 0 && <GuestCards label={translate('albums.list')} items={albums} />}
      <PageLinks
        path="/albums"
        filter={{ ...filter }}
        label={translate('albums.pages')}
        previous={translate('albums.newerAlbums')}
        next={translate('albums.olderAlbums')}
        after={after}
        cursors={page}
      />
    </div>
  )
}
