import { toGuestCard } from '#app/albums/guest/to-guest-card.ts'
import type { Outputs } from '#app/connection/trpc.ts'
import { EmptyList } from '#app/gallery/empty-list.tsx'
import { PageLinks } from '#app/gallery/guest/page-links.tsx'
import { toTile } from '#app/gallery/guest/to-tile.ts'
import { RefusedPage } from '#app/limits/refused-page.tsx'
import { translatorOfRequest } from '#app/locale.ts'
import { GuestCards, GuestTiles } from '#app/shell/guest-parts.ts'
import { Avatar } from '#app/ui/avatar.tsx'
import { buttonClass } from '#app/ui/button-class.ts'
import { callerOfRequest, unlessRefused } from '#app/viewer.ts'

const PAGE_SIZE = 40

/** The albums above the images; a link leads to all of them. */
const ALBUMS = 6

interface Props {
  profile: Outputs['profile']['show']
  /** Where this page of the images begins; undefined for the first. */
  after: string | undefined
}

/** A user as everybody sees them: name, picture, a line, and their public albums and images. */
export async function ProfileView({ profile, after }: Props) {
  const { owner, name, displayName, picture, line } = profile
  const [translate, caller] = await Promise.all([translatorOfRequest(), callerOfRequest()])
  const [images, albums] = await Promise.all([
    unlessRefused(
      caller.image.list({
        ...{ scope: 'gallery', query: { owner }, limit: PAGE_SIZE },
        previous: true,
        ...(after !== undefined && { cursor: after }),
      }),
    ),
    after === undefined ? unlessRefused(caller.album.list({ scope: 'gallery', owner, limit: ALBUMS })) : null,
  ])
  const limit = images.limit ?? albums?.limit
  const tiles = images.value?.items.flatMap(toTile) ?? []
  const cards = albums?.value?.items.map(toGuestCard) ?? []
  const shown = displayName ?? name
  return (
    <div className="px-4 sm:px-6">
      <header className="flex max-w-3xl items-center gap-4 py-6">
        <Avatar name={shown} picture={picture} className="size-16 text-xl sm:size-20 sm:text-2xl" />
        <div className="min-w-0">
          <h1 className="text-2xl leading-tight font-semibold wrap-anywhere">
            <bdi>{shown}</bdi>
          </h1>
          {line !== '' && (
            <p dir="auto" className="mt-1 wrap-anywhere text-ink-soft">
              {line}
            </p>
          )}
        </div>
      </header>
      {limit && <RefusedPage limit={limit} />}
      {cards.length > 0 && (
        <section className="pb-8">
          <div className="flex items-center justify-between gap-4 pb-3">
            <h2 className="text-lg font-semibold">{translate('albums.title')}</h2>
            {albums?.value?.nextCursor && (
              <a href={`/albums?owner=${owner}`} className={buttonClass('plain', 'small')}>
                {translate('profile.allAlbums')}
              </a>
            )}
          </div>
          <GuestCards label={translate('albums.list')} items={cards.map((card) => ({ ...card, owner: null }))} />
        </section>
      )}
      {tiles.length > 0 && (
        <section>
          {cards.length > 0 && <h2 className="pb-3 text-lg font-semibold">{translate('gallery.listLabel')}</h2>}
          <GuestTiles label={translate('gallery.listLabel')} items={tiles.map((tile) => ({ ...tile, owner: null }))} />
        </section>
      )}
      {!limit && tiles.length === 0 && cards.length === 0 && <EmptyList>{translate('profile.empty')}</EmptyList>}
      <PageLinks
        path={`/u/${name}`}
        label={translate('gallery.pages')}
        previous={translate('gallery.newer')}
        next={translate('gallery.older')}
        after={after}
        cursors={images.value}
      />
    </div>
  )
}
