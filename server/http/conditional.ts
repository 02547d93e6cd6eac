import type { IncomingHttpHeaders } from 'node:http'
import type { ByteRange } from '#server/storage/object-store.ts'

/** Whether the client has this entity already: If-None-Match, compared weakly (RFC 9110, 13.1.2). */
export function isNotModified(headers: IncomingHttpHeaders, etag: string): boolean {
  const given = headers['if-none-match']
  if (given === undefined) return false
  return given.split(',').some((part) => part.trim() === '*' || part.trim().replace(/^W\//, '') === etag)
}

/**
 * The one range that is asked for of `size` bytes (RFC 9110, 14.2). Null for the whole: no range, several, another unit,
 * or an If-Range that names another entity.
 */
export function rangeOf(headers: IncomingHttpHeaders, etag: string, size: number): ByteRange | 'unsatisfiable' | null {
  const ifRange = headers['if-range']
  if (ifRange !== undefined && ifRange !== etag) return null
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(headers.range ?? '') ?? []
  if (first === '' && last === '') return null
  if (first === '') return checked(Math.max(0, size - Number(last)), size - 1, size)
  if (last !== '' && Number(last) < Number(first)) return null
  return checked(Number(first), last === '' ? size - 1 : Math.min(Number(last), size - 1), size)
}

const checked = (start: number, end: number, size: number): ByteRange | 'unsatisfiable' =>
  start < size ? { start, end } : 'unsatisfiable'
