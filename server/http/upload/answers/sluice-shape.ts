import type { SentRefusal } from '../refusal.ts'
import type { Item, Report } from '../report.ts'
import { makeLinks, pageUrl, sentThumbnail, sentUrl } from './links.ts'
import { type Shape, type Stored, withRequestId } from './shape.ts'

/** The response of POST /api/upload. It repeats values under all the names that clients read. */
export const sluiceShape: Shape = {
  taken: (origin, first, report) => ({
    // For clients of EasyImages and of version 1 of Lsky.
    result: 'success',
    code: 200,
    ...storedFile(origin, first),
    data: { url: sentUrl(first), links: makeLinks(origin, first) },
    ...reported(origin, report),
  }),
  refused: (refusal, report) => ({
    result: 'failed',
    code: refusal.status,
    ...refusedFile(refusal),
    ...(report && reported('', report)),
  }),
}

function reported(origin: string, { items, isUnread }: Report) {
  const stored = items.filter(({ outcome }) => outcome === 'stored').length
  return {
    files: items.map((item) => describeFile(origin, item)),
    sent: items.length,
    stored,
    refused: items.length - stored,
    ...(isUnread && { unread: true }),
  }
}

const describeFile = (origin: string, item: Item) =>
  item.outcome === 'stored'
    ? storedFile(origin, item)
    : { filename: item.filename, status: item.refusal.status, ...refusedFile(item.refusal) }

const refusedFile = (refusal: SentRefusal) => ({
  error: refusal.error,
  message: refusal.message,
  ...withRequestId(refusal),
})

function storedFile(origin: string, stored: Stored) {
  const { image, deletionUrl, share } = stored
  const { id, slug, width, height, size, mime, filename, visibility, sha256, removed, convertedFrom } = image
  return {
    url: sentUrl(stored),
    thumbnail_url: sentThumbnail(stored),
    deletion_url: deletionUrl,
    page_url: pageUrl(origin, image),
    ...{ id, slug, width, height, size, mime, filename, visibility, sha256, removed },
    converted_from: convertedFrom,
    ...(share && { share_id: share.id, expires_at: share.expiresAt }),
  }
}
