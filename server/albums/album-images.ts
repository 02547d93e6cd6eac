import { z } from 'zod'
import { imageIds } from '#server/images/bulk/ids.ts'
import type { NotDone } from '#server/images/bulk/outcome.ts'

/** The input of calls for many images of an album: they are charged by their number, and each gets an answer. */
export const someImages = z.strictObject({ id: z.uuid(), images: imageIds })

/** What became of one of several images. */
export type AlbumImageItem =
  | {
      readonly id: string
      readonly outcome: 'done'
      /** False if there was nothing to do: the image was in the album already. */
      readonly changed: boolean
      /** Where it was before it was removed, for `album.add` to put it back; null otherwise. */
      readonly rank: string | null
    }
  | { readonly id: string; readonly outcome: Extract<NotDone, 'not-found' | 'forbidden'> }

/** One item per requested image, in the order of the request. */
export interface AlbumImagesAnswer {
  readonly items: readonly AlbumImageItem[]
}
