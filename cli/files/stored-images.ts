import type { ImageItem } from '#server/images/image-item.ts'
import type { ServerConnection } from '../connection/connection.ts'
import { isBeyondToken } from '../connection/server-error.ts'

const PAGE = 100

/** Which images, and their order. */
export interface Wanted {
  readonly trash?: boolean
  readonly query?: { readonly album?: string; readonly tag?: string; readonly text?: string }
  readonly sort?: ImageSort | undefined
}

export const imageSorts = ['newest', 'oldest', 'title', 'largest'] as const
export type ImageSort = (typeof imageSorts)[number]

/** Yields the user's images, or those in the trash; pages are requested as needed. Newest first unless said, in an album in its
 *  own order. */
export async function* myImages(
  { api, patience, signal }: ServerConnection,
  { trash = false, query = {}, sort }: Wanted = {},
): AsyncGenerator<ImageItem> {
  let cursor: string | undefined
  do {
    const list = { trash, query, ...(sort && { sort }), ...(cursor && { cursor }) }
    const input = { scope: 'mine' as const, limit: PAGE, ...list }
    const { items, nextCursor } = await patience.run(() => api.image.list.query(input, { signal }))
    yield* items
    cursor = nextCursor ?? undefined
  } while (cursor)
}

/** Finds which images still exist: reads the list from the newest on, only as far as needed. */
export class StoredImages {
  readonly #images: AsyncGenerator<ImageItem>
  readonly #known = new Map<string, ImageItem>()
  #reading: Promise<unknown> = Promise.resolve()
  #mayRead = true

  constructor(connection: ServerConnection) {
    this.#images = myImages(connection)
  }

  /** Returns the image as it is now; null if it no longer exists, 'unknown' for a token that may not read. */
  find(id: string): Promise<ImageItem | null | 'unknown'> {
    const found = this.#reading.then(() => this.#readTo(id))
    this.#reading = found.catch(() => undefined)
    return found
  }

  async #readTo(id: string): Promise<ImageItem | null | 'unknown'> {
    try {
      while (this.#mayRead && !this.#known.has(id)) {
        const { value, done } = await this.#images.next()
        if (done) break
        this.#known.set(value.id, value)
      }
    } catch (error) {
      if (!isBeyondToken(error)) throw error
      this.#mayRead = false
    }
    return this.#mayRead ? (this.#known.get(id) ?? null) : 'unknown'
  }
}
