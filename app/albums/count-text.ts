import type { AlbumItem } from '#app/connection/trpc.ts'
import type { Translate } from '#app/ui/translate.ts'

/** Returns the number of images in words. It is exact to a thousand. */
export const countText = ({ count, more }: AlbumItem['count'], t: Translate<'albums'>): string =>
  t(more ? 'countMore' : 'count', { count })
