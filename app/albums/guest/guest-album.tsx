import type { AlbumItem } from '#app/connection/trpc.ts'
import { readFailure } from '#app/entry/failure-cookie.ts'
import { EmptyList } from '#app/gallery/empty-list.tsx'
import { PageLinks } from '#app/gallery/guest/page-links.tsx'
import { toTile } from '#app/gallery/guest/to-tile.ts'
import { RefusedPage } from '#app/limits/refused-page.tsx'
import { translatorOfRequest } from '#app/locale.ts'
import { ReportLink } from '#app/report/report-link.tsx'
import { GuestTiles, GuestZip } from '#app/shell/guest-parts.ts'
import { ownerName } from '#app/ui/owner-name.ts'
import { callerOfRequest, unlessRefused } from '#app/viewer.ts'

const PAGE_SIZE = 40

/** The most images of a zip (server/images/bulk/ids.ts). */
const MAX_ZIPPED = 100

/** An album as guests see it, page by page. `after` is where this page begins. */
export async function GuestAlbum({ album, after }: { album: AlbumItem; after: string | undefined }) {
  const translate = await translatorOfRequest()
  const caller = await callerOfRequest()
  const { value: page, limit } = await unlessRefused(
    caller.album.images({
      id: album.id,
      limit: PAGE_SIZE,
      previous: true,
      ...(after !== undefined && { cursor: after }),
    }),
  )
  const tiles = page?.items.flatMap(toTile) ?? []
  const { title, description, count, slug } = album
  const owner = ownerName(album.owner)
  const isWhole = !count.more && count.count <= MAX_ZIPPED
  return (
    <div className="px-4 sm:px-6">
      <header className="flex max-w-3xl flex-col gap-1.5 py-6">
        <h1 dir="auto" className="text-2xl leading-tight font-semibold break-words">
          {title}
        </h1>
        <p className="figures text-sm text-ink-soft">
          {translate(count.more ? 'albums.countMore' : 'albums.count', { count: count.count })}
          {owner !== null && ` · ${translate('albums.by', { owner })}`}
        </p>
        {description !== '' && (
          <p dir="auto" className="mt-1 break-words whitespace-pre-line">
            {description}
          </p>
        )}
        {tiles.length > 0 && (
          <GuestZip
            label={
              isWhole ? translate('albums.downloadAll') : translate('albums.downloadPage', { count: tiles.length })
            }
            fields={{
              ...{ id: album.id, album: slug },
              ...(!isWhole && { after: after ?? '', limit: String(PAGE_SIZE) }),
            }}
            last={await readFailure()}
          />
        )}
      </header>
      {limit && <RefusedPage limit={limit} />}
      {page && tiles.length === 0 && <EmptyList>{translate('albums.emptyAlbumOthers')}</EmptyList>}
      {tiles.length > 0 && (
        <GuestTiles label={translate('albums.images')} items={tiles.map((item) => ({ ...item, owner: null }))} />
      )}
      <PageLinks
        path={`/a/${slug}`}
        label={translate('albums.pages')}
        previous={translate('albums.previous')}
        next={translate('albums.next')}
        after={after}
        cursors={page}
      />
      {tiles.length > 0 && (
        <div className="py-8">
          <ReportLink href={`/report?${new URLSearchParams({ album: slug, ...(after !== undefined && { after }) })}`}>
            {translate('reporting.linkOfMany')}
          </ReportLink>
        </div>
      )}
    </div>
  )
}
