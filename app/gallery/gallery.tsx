'use client'

import { useMemo } from 'react'
import { late } from '#app/ui/late.tsx'
import { isNarrowed, toInput } from './finding/finding.ts'
import { FindingBar } from './finding/finding-bar.tsx'
import { useFinding } from './finding/use-finding.ts'
import type { ListPlace } from './list-place.ts'
import { PagedGallery } from './paged-gallery.tsx'
import type { FirstPage } from './timeline/timeline.ts'
import { TimelineGallery } from './timeline/timeline-gallery.tsx'
import { useScope } from './use-scope.ts'
import { isDated, useShownPlace } from './use-shown-place.ts'

const ActiveFilters = late(() => import('./finding/active-filters.tsx'))

interface Props {
  /** The first page as the server has rendered it, and of which list; null if the page begins elsewhere. */
  first: (FirstPage & { readonly place: ListPlace }) | null
}

/** The images of a scope: the user's own, the public ones, or all. */
export function Gallery({ first }: Props) {
  const { scope } = useScope()
  const found = useFinding()
  const isFiltered = isNarrowed(found.finding)
  const { query, sort, by } = toInput(found.finding)
  const key = JSON.stringify({
    scope,
    trash: false,
    ...(isFiltered && { query }),
    ...(sort !== 'newest' && { sort }),
    ...(by === 'taken' && { by }),
  })
  // The address also says which month is in view, which leaves the list as it is.
  const place = useMemo((): ListPlace => JSON.parse(key), [key])
  const shown = useShownPlace(place)
  const isLate = shown !== place
  const shownKey = JSON.stringify(shown)
  return (
    <>
      <div className="flex flex-col gap-2 px-4 pt-3 sm:px-6">
        <FindingBar state={found} scope={scope} />
        {isFiltered && <ActiveFilters standIn={<div className="h-8" />} state={found} scope={scope} />}
      </div>
      <div
        aria-busy={isLate}
        className={isLate ? 'pointer-events-none opacity-50 transition-opacity delay-100 duration-150' : undefined}
      >
        {isDated(shown) ? (
          <TimelineGallery
            key={shownKey}
            place={shown}
            first={first && JSON.stringify(first.place) === shownKey ? first : null}
            isLeft={isLate}
          />
        ) : (
          <PagedGallery key={shownKey} place={shown} />
        )}
      </div>
    </>
  )
}
