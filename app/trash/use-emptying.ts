'use client'

import { useState } from 'react'
import type { ImageItem } from '#app/connection/trpc.ts'
import type { Source } from '#app/gallery/selecting/list-source.ts'
import { useGathering } from '#app/gallery/selecting/use-gathering.ts'

/** Empties a list of what is loaded and of what is not. */
export function useEmptying(source: Source, purge: (images: readonly ImageItem[]) => Promise<void>) {
  const [isEmptying, setEmptying] = useState(false)
  const { gather } = useGathering()
  const empty = async () => {
    setEmptying(true)
    const images = [...source.between(0, Number.POSITIVE_INFINITY)]
    const find = source.findMissing(0, Number.POSITIVE_INFINITY)
    if (find) await gather(find, (more) => void images.push(...more))
    await purge(images)
    setEmptying(false)
  }
  return { isEmptying, empty }
}
