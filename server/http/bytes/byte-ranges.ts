import type { ByteRange } from '#server/storage/object-store.ts'

/** The most ranges of a request; beyond it the whole object is sent. */
const MAX_RANGES = 16
/** The most parts of one answer. */
const MAX_PARTS = 8
/** A gap of this many bytes costs no more than another part's header. */
const SMALL_GAP = 80
/** The most bytes read and dropped for the gaps of one answer: a short request must not cause a long read. */
const MAX_DROPPED = 1024 * 1024

const SPEC = /^(?:(\d{1,15})-(\d{0,15})|-(\d{1,15}))$/

/**
 * Returns the ranges that a Range header requests of `size` bytes (RFC 9110, 14.1.2 and 14.2), in ascending order,
 * joining those that overlap, touch or nearly touch. Null for the whole: no header, a malformed one, another unit, too
 * many parts, or parts that are far apart.
 */
export function rangesOf(header: string | undefined, size: number): readonly ByteRange[] | 'unsatisfiable' | null {
  const [, list] = /^bytes=(.*)$/i.exec(header ?? '') ?? []
  const specs = list?.split(',').map((spec) => spec.trim())
  // A list may contain empty elements (RFC 9110, 5.6.1.2) but must not be empty.
  const named = specs?.filter(Boolean) ?? []
  if (named.length === 0 || named.length > MAX_RANGES) return null
  const ranges: ByteRange[] = []
  for (const spec of named) {
    const range = parseSpec(spec, size)
    if (!range) return null
    if (range.start < size && range.start <= range.end) ranges.push(range)
  }
  if (ranges.length === 0) return 'unsatisfiable'
  const joined = coalesce(ranges)
  return joined.length > MAX_PARTS || droppedBy(joined) > MAX_DROPPED ? null : joined
}

/** Parses one range and cuts it to the size; it may begin after the end. Null if it is malformed. */
function parseSpec(spec: string, size: number): ByteRange | null {
  const [, first, last = '', suffix] = SPEC.exec(spec) ?? []
  if (suffix !== undefined) {
    return { start: Number(suffix) === 0 ? size : Math.max(0, size - Number(suffix)), end: size - 1 }
  }
  if (first === undefined || (last !== '' && Number(last) < Number(first))) return null
  return { start: Number(first), end: last === '' ? size - 1 : Math.min(Number(last), size - 1) }
}

/** Counts the bytes in the gaps between ascending ranges. */
function droppedBy(ranges: readonly ByteRange[]): number {
  return ranges.reduce((sum, { start }, index) => sum + start - (ranges[index - 1]?.end ?? start - 1) - 1, 0)
}

function coalesce(ranges: readonly ByteRange[]): ByteRange[] {
  const joined: ByteRange[] = []
  for (const range of ranges.toSorted((one, other) => one.start - other.start)) {
    const last = joined.at(-1)
    if (!last || range.start > last.end + 1 + SMALL_GAP) joined.push(range)
    else joined.splice(-1, 1, { start: last.start, end: Math.max(last.end, range.end) })
  }
  return joined
}
