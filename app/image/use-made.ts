'use client'

import { useEffect, useMemo, useState } from 'react'
import type { ImageItem } from '#app/connection/trpc.ts'

type New = Pick<ImageItem, 'url' | 'variants' | 'width' | 'height'> & Partial<Pick<ImageItem, 'variantsAwaited'>>

/** Returns an image that is so new that its larger variants were not made yet, with them as soon as they are: the element that shows
 *  it then loads a larger one, in place. */
export function useMade<Image extends New>(image: Image): Image {
  const { variantsAwaited = false } = image
  // A share without originals names its largest variant.
  const url = image.url?.replace(/\?.*/, '')
  const [made, setMade] = useState<string | null>(null)
  useEffect(() => {
    if (!variantsAwaited || url === undefined) return
    const ended = new AbortController()
    void import('./until-made.ts').then(({ untilMade }) => untilMade(url, ended.signal, () => setMade(url)))
    return () => ended.abort()
  }, [url, variantsAwaited])
  const isMade = variantsAwaited && url !== undefined && made === url
  return useMemo(() => (isMade ? withLarger(image, url) : image), [image, isMade, url])
}

/** Where a variant was left out, its address leads to the original, which then has fewer bytes. */
const withLarger = <Image extends New>(image: Image, url: string): Image => ({
  ...image,
  variantsAwaited: false,
  variants: [
    ...(image.variants ?? []),
    ...[800, 1600].flatMap((most) => {
      if (image.width <= most / 2) return []
      const width = Math.min(most, image.width)
      return { url: `${url}?w=${most}`, width, height: Math.round((width / image.width) * image.height), moves: false }
    }),
  ],
})
