import type { IncomingHttpHeaders } from 'node:http'
import { parseHttpDate } from './http-date.ts'

/** By what a client recognises a representation that it has. */
export interface Validators {
  /** Strong, with its quotes. */
  readonly etag: string
  /** In whole seconds. What is sent never changes, so that this is a strong validator too (RFC 9110, 8.8.2.2). */
  readonly lastModified: Date
}

/** What a request's preconditions make of it, in the order of precedence of RFC 9110, 13.2.2. */
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

/** Whether a Range may be answered: If-Range names, strongly, what the client has a part of already (RFC 9110, 13.1.5). */
export function isSameAsBefore(headers: IncomingHttpHeaders, { etag, lastModified }: Validators): boolean {
  const ifRange = headers['if-range']?.toString()
  if (ifRange === undefined || ifRange === etag) return true
  return parseHttpDate(ifRange)?.getTime() === lastModified.getTime()
}

/** Whether a list of entity tags names this one, compared strongly: a weak one of the list is no other's equal. */
function names(list: string, etag: string): boolean {
  if (list.trim() === '*') return true
  const tags: readonly string[] = list.match(/(?:W\/)?"[^"]*"/g) ?? []
  return tags.includes(etag)
}

/** The same, whether the list has it as a strong one or as a weak one. */
const namesWeakly = (list: string, etag: string): boolean => names(list, etag) || names(list, `W/${etag}`)
