import type { ByteRange } from '#server/storage/object-store.ts'

const SPEC = /^(?:(\d{1,15})-(\d{0,15})|-(\d{1,15}))$/

/**
 * Returns the range that a Range header requests of `size` bytes (RFC 9110, 14.1.2 and 14.2). Null for the whole: no
 * header, a malformed one, another unit, or several ranges. To send several, the gaps between them would have to be read
 * too, or each of them by a request of its own, for a call that pays for neither.
 */
export function requestedRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | null {
  const [, list] = /^bytes=(.*)$/i.exec(header ?? '') ?? []
  // A list may have empty elements (RFC 9110, 5.6.1.2), but must not be empty.
  const specs = list?.split(',').filter((spec) => spec.trim()) ?? []
  const [only = '', ...others] = specs
  const range = others.length > 0 ? null : parseSpec(only.trim(), size)
  return range && range.start >= size ? 'unsatisfiable' : range
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
