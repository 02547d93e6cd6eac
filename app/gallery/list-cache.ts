import type { InfiniteData } from '@tanstack/react-query'
import type { ImageItem, Outputs } from '#app/connection/trpc.ts'

export type ListPage = Outputs['image']['list']
export type ImageList = InfiniteData<ListPage, unknown>

/** Removes the images of `ids`. */
export function withoutImages(list: ImageList, ids: ReadonlySet<string>): ImageList {
  return mapPages(list, (items) => items.filter(({ id }) => !ids.has(id)))
}

/** Replaces the image with the same id, if there is one. */
export function withChangedImage(list: ImageList, image: ImageItem): ImageList {
  return mapPages(list, (items) => items.map((item) => (item.id === image.id ? image : item)))
}

/** Inserts `image` by its date, newest first. Replaces it if it is there; leaves the list as it is if the place is beyond the loaded pages. */
export function withImage(list: ImageList, image: ImageItem): ImageList {
  if (listItems(list).some(({ id }) => id === image.id)) return withChangedImage(list, image)
  const at = list.pages.findIndex(
    ({ items, nextCursor }) => nextCursor === null || items.some((item) => isNewer(image, item)),
  )
  if (at < 0) return list
  const insert = (page: ListPage): ListPage => ({
    ...page,
    items: [...page.items, image].sort((a, b) => (isNewer(a, b) ? -1 : 1)),
  })
  return { ...list, pages: list.pages.map((page, index) => (index === at ? insert(page) : page)) }
}

/** Returns every loaded image, in order. */
export function listItems(list: ImageList | undefined): readonly ImageItem[] {
  return list ? list.pages.flatMap(({ items }) => items) : []
}

function isNewer(one: ImageItem, other: ImageItem): boolean {
  return chooseSortDate(one) === chooseSortDate(other) ? one.id > other.id : chooseSortDate(one) > chooseSortDate(other)
}

/** The date that a list is sorted by: in the trash that of the deletion, elsewhere that of the upload. */
const chooseSortDate = ({ trashedAt, createdAt }: ImageItem): string => trashedAt ?? createdAt

function mapPages(list: ImageList, change: (items: ListPage['items']) => ListPage['items']): ImageList {
  return { ...list, pages: list.pages.map((page) => ({ ...page, items: change(page.items) })) }
}
