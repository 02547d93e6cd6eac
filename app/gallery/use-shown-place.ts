'use client'

import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ListPlace } from './list-place.ts'
import { useTimelineOptions } from './timeline/use-timeline.ts'
import { useImageListOptions } from './use-image-list.ts'

/** Whether a list has months: in another order than by date it has none. */
export const isDated = ({ sort }: ListPlace): boolean => sort !== 'title' && sort !== 'largest'

/** Returns the list to show: the one asked for, or the one before it until something is known of that, so that no search blanks the
 *  page. */
export function useShownPlace(place: ListPlace): ListPlace {
  const [shown, setShown] = useState(place)
  const isLate = shown !== place
  const timeline = useQuery({ ...useTimelineOptions(place, null), enabled: isLate && isDated(place) })
  const list = useInfiniteQuery({ ...useImageListOptions(place), enabled: isLate && !isDated(place) })
  const { isPending, failureReason } = isDated(place) ? timeline : list
  if (isLate && (!isPending || failureReason)) setShown(place)
  return shown
}
