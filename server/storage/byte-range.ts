import type { ByteRange } from './object-store.ts'

/** Returns the error for a range that an object of `size` bytes does not contain; omit `size` if it is unknown. */
export function outOfRange({ start, end }: ByteRange, size?: number): RangeError {
  return new RangeError(`bytes ${start}-${end} of ${size ?? 'an object'}`)
}

/** Throws RangeError for a range that is invalid for every object size. */
export function checkRange(range: ByteRange | undefined): void {
  if (range && !(range.start >= 0 && range.start <= range.end)) throw outOfRange(range)
}

/** Returns `range`, or the whole object when there is none; for an empty object that ends at -1. Throws RangeError for
 *  a range that does not lie within `size` bytes. */
export function rangeWithin(range: ByteRange | undefined, size: number): ByteRange {
  if (!range) return { start: 0, end: size - 1 }
  if (range.start >= 0 && range.start <= range.end && range.end < size) return range
  throw outOfRange(range, size)
}

/** Returns the length of `range` in bytes, or `size` when there is none. */
export function bytesIn(range: ByteRange | undefined, size: number): number {
  return range ? range.end - range.start + 1 : size
}
