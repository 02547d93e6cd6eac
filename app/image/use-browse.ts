'use client'

import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { ImageItem } from '#app/connection/trpc.ts'
import { browsed } from '#app/gallery/browsed.ts'
import { listItems } from '#app/gallery/list-cache.ts'
import { useImageListOptions, useListCache } from '#app/gallery/use-image-list.ts'
import { useSession } from '#app/shell/session.tsx'

/** The image shown, and the previous and next one in the list it was opened from. Showing those loads only the image file. */
export function useBrowse(initial: ImageItem) {
  const [image, setImage] = useState(initial)
  const [place] = useState(browsed.get)
  const options = useImageListOptions(place ?? { scope: 'mine', trash: false })
  const { data, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery({ ...options, enabled: false })
  const cache = useListCache()
  const { site } = useSession()
  const items = place ? listItems(data).filter(({ slug }) => slug !== null) : []
  const index = items.findIndex(({ id }) => id === image.id)

  const isNearEnd = index >= 0 && index >= items.length - 4
  useEffect(() => {
    if (isNearEnd && hasNextPage && !isFetching) void fetchNextPage()
  }, [isNearEnd, hasNextPage, isFetching, fetchNextPage])

  useEffect(() => browsed.view(image.id), [image.id])

  /** The image shown; null once the page has been left. */
  const shown = useRef<string | null>(null)
  useEffect(() => {
    shown.current = image.id
    return () => {
      shown.current = null
    }
  }, [image.id])

  useEffect(() => {
    if (image.title !== null) document.title = `${image.title} · ${site.name}`
  }, [image.title, site.name])

  const show = (next: ImageItem) => {
    setImage(next)
    window.history.replaceState(null, '', `/image/${next.slug}`)
  }
  return {
    image,
    previous: index > 0 ? items[index - 1] : undefined,
    next: index >= 0 ? items[index + 1] : undefined,
    show,
    /** Updates the image in every list and, if it is still shown, here and in the address. */
    change(changed: ImageItem) {
      cache.replace(changed)
      if (shown.current === changed.id) show(changed)
    },
    cameFromList: place !== null,
  }
}
