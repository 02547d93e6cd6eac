'use client'

import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { QueryStanding } from '#app/limits/query-standing.tsx'
import { LoadMore } from '#app/ui/load-more.tsx'
import { GalleryView } from './gallery-view.tsx'
import { listItems } from './list-cache.ts'
import type { ListPlace } from './list-place.ts'
import { useListSource } from './selecting/list-source.ts'
import { Tiles } from './tiles.tsx'
import { useImageListOptions } from './use-image-list.ts'

/** A list that has no months, because it is in another order than by date. */
export function PagedGallery({ place }: { place: ListPlace }) {
  const query = useInfiniteQuery(useImageListOptions(place))
  const items = useMemo(() => listItems(query.data), [query.data])
  const source = useListSource(place, query.data)
  return (
    <>
      <GalleryView
        place={place}
        source={source}
        isPending={query.isPending}
        isEmpty={query.isSuccess && items.length === 0}
        standing={<QueryStanding query={query} />}
      >
        {(props) => <Tiles {...props} items={items} />}
      </GalleryView>
      <LoadMore
        key={items.length}
        isWanted={query.hasNextPage && !query.isFetching && !query.isError}
        onNear={() => query.fetchNextPage()}
      />
    </>
  )
}
