import type { ByteRange } from './object-store.ts'

/** Of bytes that an object of `size` bytes does not have, or no object where nobody knows its size. */
export function noSuchBytes({ start, end }: ByteRange, size?: number): RangeError {
  return new RangeError(`Bytes ${start}-${end} of ${size ?? 'an object'}`)
}

/** Throws RangeError for a range that no object has, whatever its size. */
export function checkRange(range: ByteRange | undefined): void {
  if (range && !(range.start >= 0 && range.start <= range.end)) throw noSuchBytes(range)
}

/** The range of an object of `size` bytes, all of it without one; then it ends at -1 where it is empty. Throws RangeError
 *  for a range that does not lie within. */
export function rangeWithin(range: ByteRange | undefined, size: number): ByteRange {
  if (!range) return { start: 0, end: size - 1 }
  if (range.start >= 0 && range.start <= range.end && range.end < size) return range
  throw noSuchBytes(range, size)
}

/** How many bytes a range has; of all `size` without one. */
export function bytesIn(range: ByteRange | undefined, size: number): number {
  return range ? range.end - range.start + 1 : size
}
