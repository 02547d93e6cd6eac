'use client'

import { useEffect } from 'react'
import type { ImageItem } from '#app/connection/trpc.ts'
import { chooseSource } from './renditions.ts'
import { firstZoom, writeSizes } from './zoom/zoom.ts'

/** Loads the rendering that an image's page will show, at low priority. Animations may have no rendering that moves, and are left
 *  out; so is everything for a reader who saves data. */
export function useAhead(image: ImageItem | undefined): void {
  useEffect(() => {
    if (!image || image.frames > 1 || savesData()) return
    const source = chooseSource(image, 'page', false)
    if (!source) return
    const picture = new Image()
    picture.fetchPriority = 'low'
    picture.sizes = writeSizes(image, firstZoom(image))
    if (source.srcSet) picture.srcset = source.srcSet
    picture.src = source.src
    return () => {
      // Whoever moves on quickly needs another one.
      if (!picture.complete) picture.src = picture.srcset = ''
    }
  }, [image])
}

/** Only some browsers tell. */
function savesData(): boolean {
  const connection: unknown = Reflect.get(navigator, 'connection')
  return typeof connection === 'object' && connection !== null && Reflect.get(connection, 'saveData') === true
}
