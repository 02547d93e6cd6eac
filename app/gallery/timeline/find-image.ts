import type { ImageItem } from '#app/connection/trpc.ts'
import { type Loaded, type PlacedPart, partsWithin } from './strip.ts'

/** Returns the image with an index, if it is loaded. */
export function findImage(parts: readonly PlacedPart[], loaded: Loaded, index: number): ImageItem | undefined {
  const [part] = partsWithin(parts, index, index)
  return part && loaded.get(part.cursor)?.[index - part.first]
}

/** Returns the index of a loaded image; null if it is not loaded. */
export function findIndex(parts: readonly PlacedPart[], loaded: Loaded, id: string): number | null {
  for (const { cursor, first, count } of parts) {
    const at = loaded.get(cursor)?.findIndex((item) => item.id === id) ?? -1
    if (at >= 0 && at < count) return first + at
  }
  return null
}
