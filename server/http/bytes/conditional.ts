import type { IncomingHttpHeaders } from 'node:http'
import { parseHttpDate } from './http-date.ts'

/** The validators by which a client recognizes its copy of a representation. */
export interface Validators {
  /** A strong entity tag, with its quotes. */
  readonly etag: string
  /** In whole seconds. Stored bytes never change, so this is a strong validator too (RFC 9110, 8.8.2.2). */
  readonly lastModified: Date
}

/** Evaluates a request's preconditions, in the order of RFC 9110, 13.2.2. */
export function evaluate(headers: IncomingHttpHeaders, validators: Validators): 'send' | 'not-modified' | 'failed' {
  const { etag, lastModified } = validators
  const ifMatch = headers['if-match']
  if (ifMatch !== undefined) {
    if (!names(ifMatch, etag)) return 'failed'
  } else {
    const unmodifiedSince = parseHttpDate(headers['if-unmodified-since'])
    if (unmodifiedSince && lastModified > unmodifiedSince) return 'failed'
  }
  const ifNoneMatch = headers['if-none-match']
  if (ifNoneMatch !== undefined) return namesWeakly(ifNoneMatch, etag) ? 'not-modified' : 'send'
  const modifiedSince = parseHttpDate(headers['if-modified-since'])
  return modifiedSince && lastModified <= modifiedSince ? 'not-modified' : 'send'
}

/**
 * Whether a Range may be answered: If-Range, if present, must match this representation strongly (RFC 9110, 13.1.5).
 */
export function isSameAsBefore(headers: IncomingHttpHeaders, { etag, lastModified }: Validators): boolean {
  const ifRange = headers['if-range']?.toString()
  if (ifRange === undefined || ifRange === etag) return true
  return parseHttpDate(ifRange)?.getTime() === lastModified.getTime()
}

/** Compares strongly: weak tags in the list match nothing. */
function names(list: string, etag: string): boolean {
  if (list.trim() === '*') return true
  const tags: readonly string[] = list.match(/(?:W\/)?"[^"]*"/g) ?? []
  return tags.includes(etag)
}

/** Compares weakly: the list may contain the tag as a strong or a weak one. */
const namesWeakly = (list: string, etag: string): boolean => names(list, etag) || names(list, `W/${etag}`)
