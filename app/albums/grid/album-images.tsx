'use client'

import { useInfiniteQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { type ReactNode, useMemo } from 'react'
import { useTranslations } from 'use-intl/react'
import type { AlbumItem, ImageItem } from '#app/connection/trpc.ts'
import { EmptyList } from '#app/gallery/empty-list.tsx'
import { useSelection } from '#app/gallery/selecting/use-selection.ts'
import { useImageActions } from '#app/gallery/use-image-actions.tsx'
import { useCopyLink } from '#app/image/use-copy-link.ts'
import { QueryStanding } from '#app/limits/query-standing.tsx'
import { buttonClass } from '#app/ui/button-class.ts'
import { late } from '#app/ui/late.tsx'
import { LoadMore } from '#app/ui/load-more.tsx'
import { Mark } from '#app/ui/mark.tsx'
import type { AlbumActions } from '../use-album-actions.tsx'
import { loadedImages, useAlbumImageOptions } from '../use-album-images.ts'
import { AlbumGrid } from './album-grid.tsx'
import { useAlbumSource } from './use-album-source.ts'

const AlbumSelection = late(() => import('./album-selection.tsx'))

interface Props {
  album: AlbumItem
  actions: AlbumActions
  /** What can be done with the album; the actions for selected images take its place. `onSelect` begins to select. */
  children: (onSelect: () => void) => ReactNode
}

/** The images of an album, page by page, and what can be done with those that are selected. */
export function AlbumImages({ album, actions, children }: Props) {
  const query = useInfiniteQuery(useAlbumImageOptions(album))
  const items = useMemo(() => loadedImages(query.data), [query.data])
  const cursor = query.data?.pages.at(-1)?.nextCursor ?? null
  const selection = useSelection({ source: useAlbumSource(album, items, cursor), maySelect: () => true })
  const { setVisibility } = useImageActions()
  const copyLinks = useCopyLink((images) => void setVisibility(images, 'link'))
  const remove = (images: readonly ImageItem[]) => {
    selection.clear()
    void actions.remove(images)
  }
  const bar = children(selection.begin)
  return (
    <>
      {selection.isSelecting ? (
        <AlbumSelection
          standIn={bar}
          album={album}
          actions={actions}
          selection={selection}
          onCopy={copyLinks}
          onRemove={remove}
        />
      ) : (
        bar
      )}
      {query.isSuccess && items.length === 0 && <Empty mayEdit={album.mayEdit} />}
      {items.length > 0 && (
        <AlbumGrid
          album={album}
          items={items}
          selection={selection}
          onMove={actions.move}
          onCopy={copyLinks}
          onRemove={album.mayEdit ? remove : null}
        />
      )}
      <QueryStanding query={query} />
      <LoadMore
        key={items.length}
        isWanted={query.hasNextPage && !query.isFetching && !query.isError}
        onNear={() => query.fetchNextPage()}
      />
    </>
  )
}

function Empty({ mayEdit }: { mayEdit: boolean }) {
  const t = useTranslations('albums')
  if (!mayEdit) return <EmptyList>{t('emptyAlbumOthers')}</EmptyList>
  return (
    <div className="flex min-h-[42vh] flex-col items-center justify-center gap-5 rounded-lg border-2 border-dashed border-line px-6 py-12 text-center">
      <Mark className="size-14" />
      <div>
        <h2 className="text-xl font-semibold">{t('emptyAlbum')}</h2>
        <p className="mt-1.5 max-w-md text-balance text-ink-soft">{t('emptyAlbumHint')}</p>
      </div>
      <Link href="/" prefetch={false} className={buttonClass('plain')}>
        {t('toImages')}
      </Link>
    </div>
  )
}
