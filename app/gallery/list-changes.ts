import type { ImageItem } from '#app/connection/trpc.ts'

/** What became of images in the lists: ids that are gone, or images that were changed. */
export type ListChange = { readonly removed: readonly string[] } | { readonly changed: readonly ImageItem[] }

const listeners = new Set<(change: ListChange) => void>()

/** Tells selections what became of their images, which no list may hold. */
export const listChanges = {
  subscribe(listener: (change: ListChange) => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  announce(change: ListChange): void {
    for (const listener of listeners) listener(change)
  },
}
