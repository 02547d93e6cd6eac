'use client'

import { QueryStanding } from '#app/limits/query-standing.tsx'
import { late } from '#app/ui/late.tsx'
import { GalleryView } from '../gallery-view.tsx'
import type { ListPlace } from '../list-place.ts'
import { MonthSelection } from './month-selection.tsx'
import { TileGrid } from './tile-grid.tsx'
import type { FirstPage } from './timeline.ts'
import { useGrid } from './use-grid.ts'
import { useKeptPlace } from './use-kept-place.ts'
import { useParts, useTimeline } from './use-timeline.ts'
import { useTimelineSource } from './use-timeline-source.ts'

const Scrubber = late(() => import('./scrubber.tsx'))

interface Props {
  place: ListPlace
  first: FirstPage | null
  /** Whether the address already names another list. */
  isLeft: boolean
}

/** A list by date: months, of which only what is near the window is loaded, and a scrubber. */
export function TimelineGallery({ place, first, isLeft }: Props) {
  const known = useTimeline(place, first)
  const { query, timeline, shown, refetchOnce } = known
  const grid = useGrid(shown.months)
  const { loaded, failing } = useParts(timeline, grid.wanted, refetchOnce)
  const source = useTimelineSource(place, known)
  const keep = useKeptPlace(grid, source.key, timeline !== undefined, isLeft)
  const isLong = grid.layout !== null && grid.layout.height > grid.view.bottom - grid.view.top
  const isPending = query.isPending && !first
  return (
    <GalleryView
      place={place}
      source={source}
      isPending={isPending}
      isEmpty={!isPending && shown.months.length === 0}
      standing={<QueryStanding query={failing ?? query} />}
      onLeave={keep}
    >
      {(props) => (
        <div data-timeline="" className="sm:pr-8">
          <TileGrid
            {...props}
            grid={grid}
            months={shown.months}
            loaded={timeline ? loaded : shown.loaded}
            heading={(month) => (
              <MonthSelection {...props} month={month} by={place.by ?? 'uploaded'} isCounted={timeline !== undefined} />
            )}
          >
            {timeline && isLong && <Scrubber grid={grid} />}
          </TileGrid>
        </div>
      )}
    </GalleryView>
  )
}
