import type { IncomingMessage } from 'node:http'
import { viewerOfSession } from '#server/accounts/sessions.ts'
import { isSuperadmin, type Viewer } from '#server/accounts/viewer.ts'
import type { App } from '#server/app.ts'
import type { ByteRequest } from '#server/images/byte-request.ts'
import type { VariantWidth } from '#server/images/variant.ts'
import type { CompiledRuleSet } from '#server/limits/rules/compiled.ts'
import { imageLimits } from './limits.ts'

/** The largest rendering that takes of `view` alone, and what is sent instead of a larger one for which permits lack. */
export const SMALL: VariantWidth = 800

/** Who reads, and in whose name. */
export interface Reader {
  /** Who the cookie says sends the request. */
  readonly sender: Viewer | null
  /** In whose name it is read: the sender's, or the holder's of a download link. */
  readonly viewer: Viewer | null
  /** False with a download link that is void, or whose holder's session has ended. */
  readonly isAdmitted: boolean
}

/** By the cookie, and the download link where the address has one. */
export async function readerOf(app: App, req: IncomingMessage, { slug, download }: ByteRequest): Promise<Reader> {
  const sender = await app.viewerOf(req.headers)
  if (download === null) return { sender, viewer: sender, isAdmitted: true }
  const link = app.images.downloadLinks.open(slug, download)
  if (!link?.sessionId) return { sender, viewer: sender, isAdmitted: link !== null }
  const holder = await viewerOfSession(app.db, link.sessionId)
  return { sender, viewer: holder ?? sender, isAdmitted: holder !== null }
}

/** What a call of one kind takes. */
export interface CallKind {
  /** Under which it is counted. */
  readonly label: string
  /** What it takes whatever is sent: charged before an image is looked up. */
  readonly calls: readonly CompiledRuleSet[]
  /** What the bytes take that leave. */
  readonly bytes: readonly CompiledRuleSet[]
  /** Both, where it is known at once what will leave. */
  readonly all: readonly CompiledRuleSet[]
}

const countsBytes = ({ facts }: CompiledRuleSet): boolean => facts.unit === 'bytes'

const kindOf = (part: keyof typeof imageLimits): CallKind => {
  const all = imageLimits[part]
  const label = `image bytes (${part})`
  return { label, all, calls: all.filter((set) => !countsBytes(set)), bytes: all.filter(countsBytes) }
}

const kinds = { original: kindOf('original'), small: kindOf('small'), large: kindOf('large') }

/** What a request is, of those that cost differently. */
export function callKindOf({ width }: ByteRequest): CallKind {
  if (width === null) return kinds.original
  return width > SMALL ? kinds.large : kinds.small
}

/** Superadmins are free, but their links are not: whoever was given one reads at the expense of its holder. */
export const isFree = ({ sender }: Reader): boolean => isSuperadmin(sender)
