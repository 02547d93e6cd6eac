import type { InfiniteData } from '@tanstack/react-query'
import type { ImageItem, Outputs } from '#app/connection/trpc.ts'

export type ImagePage = Outputs['image']['list']
export type ImageList = InfiniteData<ImagePage, unknown>

/** The list without the images of `ids`. */
export function withoutImages(list: ImageList, ids: ReadonlySet<string>): ImageList {
  return mapPages(list, (items) => items.filter(({ id }) => !ids.has(id)))
}

/** The list with `image` in the place of its older self, if it holds it. */
export function withChangedImage(list: ImageList, image: ImageItem): ImageList {
  return mapPages(list, (items) => items.map((item) => (item.id === image.id ? image : item)))
}

/** The list with `image` where it belongs by its date, newest first; unchanged when it is there or lies beyond what is loaded. */
export function withImage(list: ImageList, image: ImageItem): ImageList {
  if (itemsOf(list).some(({ id }) => id === image.id)) return withChangedImage(list, image)
  const at = list.pages.findIndex(
    ({ items, nextCursor }) => nextCursor === null || items.some((item) => isNewer(image, item)),
  )
  if (at < 0) return list
  const insert = (page: ImagePage): ImagePage => ({
    ...page,
    items: [...page.items, image].sort((a, b) => (isNewer(a, b) ? -1 : 1)),
  })
  return { ...list, pages: list.pages.map((page, index) => (index === at ? insert(page) : page)) }
}

/** Every loaded image, in order. */
export function itemsOf(list: ImageList | undefined): readonly ImageItem[] {
  return list ? list.pages.flatMap(({ items }) => items) : []
}

function isNewer(one: ImageItem, other: ImageItem): boolean {
  return dateOf(one) === dateOf(other) ? one.id > other.id : dateOf(one) > dateOf(other)
}

/** What a list is ordered by: in the trash when an image came there, elsewhere when it was uploaded. */
const dateOf = ({ trashedAt, createdAt }: ImageItem): string => trashedAt ?? createdAt

function mapPages(list: ImageList, change: (items: ImagePage['items']) => ImagePage['items']): ImageList {
  return { ...list, pages: list.pages.map((page) => ({ ...page, items: change(page.items) })) }
}
