import type { IncomingHttpHeaders } from 'node:http'
import { create as contentDisposition } from 'content-disposition'
import type { ByteRequest } from '#server/images/byte-request.ts'
import type { FoundImage } from '#server/images/image-by-address.ts'
import type { Representation } from '#server/images/representation.ts'
import { holdsWhole, SMALL_WIDTH } from '#server/images/variant.ts'
import { bytesIn } from '#server/storage/byte-range.ts'
import type { ByteRange } from '#server/storage/object-store.ts'
import { type AnswerPlan, NOT_FOUND, PRECONDITION_FAILED, planUnsatisfiable } from './answer-plan.ts'
import { requestedRange } from './byte-ranges.ts'
import { evaluate, isSameAsBefore } from './conditional.ts'
import { wholeSeconds } from './http-date.ts'

/** What an answer depends on besides the image. */
export interface AnswerFacts {
  readonly method: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly download: ByteRequest['download']
  /** The policies without enough permits, because of which a smaller variant is sent than requested. */
  readonly degradedBy: readonly string[]
  /** How long a cache may store public images. */
  readonly cacheSeconds: number
  /** Set for a request through a share, which decides alone what caches may do. */
  readonly share?: SharedAnswer
}

/** What answers through a share may become. */
export interface SharedAnswer {
  /** No copy may be kept, because it would outlive the share. */
  readonly isFleeting: boolean
  /** Whoever has the address may read it, other sites included. */
  readonly isOpen: boolean
}

/**
 * Plans the answer to a GET or HEAD. A pure function, so that the guests' fast path, which plans ahead, gives the same
 * answers as all other requests. `found` is null if there is nothing for the viewer.
 */
export function planAnswer(facts: AnswerFacts, found: FoundImage | null): AnswerPlan {
  if (!found) return NOT_FOUND
  const { representation } = found
  const caching = planCaching(facts, found)
  const disposition = {
    'Content-Disposition': contentDisposition(representation.filename, {
      type: facts.download === null ? 'inline' : 'attachment',
    }),
  }
  // Sent whole in place of what was requested, without a validator that a client could take for the other's.
  if (facts.degradedBy.length > 0 || representation.standsIn) {
    const headers = { ...disposition, 'Accept-Ranges': 'none' }
    return planObject({ facts, representation, caching, headers, range: null })
  }
  const validators = { etag: representation.etag, lastModified: wholeSeconds(representation.storedAt) }
  const precondition = evaluate(facts.headers, validators)
  if (precondition === 'failed') return PRECONDITION_FAILED
  if (precondition === 'not-modified') {
    const { headers, showsLimits } = caching
    return { status: 304, headers: { ...headers, ETag: validators.etag }, showsLimits, body: null }
  }
  const mayBePartial = facts.method === 'GET' && isSameAsBefore(facts.headers, validators)
  const range = mayBePartial ? requestedRange(facts.headers.range, representation.size) : null
  if (range === 'unsatisfiable') return planUnsatisfiable(representation.size)
  const headers = {
    ETag: validators.etag,
    'Last-Modified': validators.lastModified.toUTCString(),
    ...disposition,
    // A browser that is offered ranges may split one download into several requests, each of which takes a permit. One that
    // asks for a range to resume gets it.
    'Accept-Ranges': facts.download === null ? 'bytes' : 'none',
  }
  return planObject({ facts, representation, caching, headers, range })
}

const STAND_IN = { 'Sluice-Stand-In': '1' }

type Caching = Pick<AnswerPlan, 'headers' | 'showsLimits'>

interface Planned {
  readonly facts: AnswerFacts
  readonly representation: Representation
  readonly caching: Caching
  readonly headers: Readonly<Record<string, string>>
  readonly range: ByteRange | null
}

function planObject({ facts, representation, caching, headers, range }: Planned): AnswerPlan {
  const { key, size, mime } = representation
  const length = bytesIn(range ?? undefined, size)
  const partial = range && { 'Content-Range': `bytes ${range.start}-${range.end}/${size}` }
  return {
    status: range ? 206 : 200,
    headers: { ...caching.headers, ...headers, 'Content-Type': mime, 'Content-Length': String(length), ...partial },
    showsLimits: caching.showsLimits,
    // A range that is the whole is read, and so verified, as the whole.
    body: facts.method === 'HEAD' ? null : { key, size, range: length === size ? null : range },
  }
}

/**
 * No cache may store an answer for longer than it is valid: public bytes for a set time, private ones only with
 * revalidation, and the answer to a download link not at all.
 */
function planCaching(facts: AnswerFacts, { image, representation }: FoundImage): Caching {
  const { download, degradedBy, cacheSeconds, share } = facts
  if (share) return planShared(facts, representation, share)
  const isPublic = image.visibility !== 'private' && !image.trashedAt
  const policy = {
    'Cross-Origin-Resource-Policy': isPublic ? 'cross-origin' : 'same-origin',
    // Only links lead to an unlisted image.
    ...(image.visibility === 'link' && { 'X-Robots-Tag': 'noindex' }),
  }
  // The same URL returns more once there are permits again, unless the picture has no more pixels.
  if (degradedBy.length > 0 && !holdsWhole(SMALL_WIDTH, image)) {
    const headers = { ...policy, 'Sluice-Degraded': degradedBy.join(', '), 'Cache-Control': 'no-store' }
    return { headers, showsLimits: true }
  }
  // The same URL returns more as soon as the variant is made.
  if (representation.standsIn) {
    const headers = { ...policy, ...STAND_IN, 'Cache-Control': 'no-store' }
    return { headers, showsLimits: true }
  }
  // A link ends with its holder's session, which caches do not notice.
  if (download !== null) return { headers: { ...policy, 'Cache-Control': 'no-store' }, showsLimits: true }
  if (isPublic) {
    return { headers: { ...policy, 'Cache-Control': `public, max-age=${cacheSeconds}` }, showsLimits: false }
  }
  const headers = { ...policy, 'Cache-Control': 'private, no-cache', Vary: 'Cookie, Authorization' }
  return { headers, showsLimits: true }
}

/** A share ends, and its limits count every answer, so no cache may give one without asking. */
function planShared(
  { download, degradedBy }: AnswerFacts,
  { standsIn }: Representation,
  { isFleeting, isOpen }: SharedAnswer,
): Caching {
  const mayKeep = !isFleeting && download === null && degradedBy.length === 0 && !standsIn
  const headers = {
    'Cross-Origin-Resource-Policy': isOpen ? 'cross-origin' : 'same-origin',
    'X-Robots-Tag': 'noindex',
    'Cache-Control': mayKeep ? 'private, no-cache' : 'no-store',
    ...(degradedBy.length > 0 && { 'Sluice-Degraded': degradedBy.join(', ') }),
    ...(standsIn && STAND_IN),
  }
  return { headers, showsLimits: true }
}
