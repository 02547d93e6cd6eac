import type { IncomingMessage } from 'node:http'
import { identify } from '#server/accounts/identify.ts'
import { viewerOfSession } from '#server/accounts/sessions/sessions.ts'
import { bearerTokenOf, viewerOfTokenId } from '#server/accounts/tokens/api-token.ts'
import { tokenRequests } from '#server/accounts/tokens/token-limits.ts'
import { isUnlimited, type Viewer } from '#server/accounts/viewer.ts'
import type { App } from '#server/app.ts'
import type { ByteRequest } from '#server/images/byte-request.ts'
import type { LinkHolder } from '#server/images/links/download-link.ts'
import type { VariantWidth } from '#server/images/variant.ts'
import type { LimitRequest } from '#server/limits/charges.ts'
import type { Decision } from '#server/limits/decision.ts'
import type { CompiledRuleSet } from '#server/limits/rules/compiled.ts'
import { imageLimits, tokenBytes } from '../limits.ts'

/** The largest rendering that takes of `view` alone, and what is sent instead of a larger one for which permits lack. */
export const SMALL: VariantWidth = 800

/** Who asks for bytes. */
export interface Sender {
  /** Who the cookie, or the token, says sends the request. */
  readonly sender: Viewer | null
  /** What is wrong with the token that the request came with: it is nobody's, or not for reading. */
  readonly tokenProblem: 'void' | 'scope' | null
  /** Its token was not looked up, and nothing is read for it. */
  readonly tokenRefusal: Decision | null
}

/** Who reads, and in whose name. */
export interface Reader extends Sender {
  /** In whose name it is read: the sender's, or the holder's of a link. */
  readonly viewer: Viewer | null
  /** False with a download link that is void, or whose holder's session or token has ended. */
  readonly isAdmitted: boolean
}

/** By the cookie or the token, and the download link where the address has one. */
export async function readerOf(
  app: App,
  req: IncomingMessage,
  { slug, download }: ByteRequest,
  address: string,
): Promise<Reader> {
  const sent = await senderOf(app, req, address)
  const own = { ...sent, viewer: sent.sender, isAdmitted: true }
  if (download === null || own.tokenProblem) return own
  const link = app.images.downloadLinks.open(slug, download)
  if (!link?.holder) return { ...own, isAdmitted: link !== null }
  const holder = await viewerOfHolder(app, link.holder)
  return { ...own, viewer: holder ?? own.sender, isAdmitted: holder !== null }
}

/** By the cookie or the token alone. */
export async function senderOf(app: App, req: IncomingMessage, address: string): Promise<Sender> {
  const { viewer: sender, tokenRefusal } = await identify(app, req.headers, address)
  return { sender, tokenProblem: tokenProblemOf(sender, req), tokenRefusal }
}

function tokenProblemOf(sender: Viewer | null, { headers }: IncomingMessage): Sender['tokenProblem'] {
  if (sender === null) return bearerTokenOf(headers.authorization) === null ? null : 'void'
  return sender.token && !sender.token.scopes.includes('read') ? 'scope' : null
}

/** Who holds a link, now; null once their session or token has ended. */
export const viewerOfHolder = ({ db }: App, { by, id }: LinkHolder): Promise<Viewer | null> =>
  by === 'token' ? viewerOfTokenId(db, id) : viewerOfSession(db, id)

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

/** Superadmins are free, but their links are not: whoever was given one reads at the expense of its holder. Nor are they by a
 *  token that is not for reading. */
export const isFree = ({ sender, tokenProblem }: Sender): boolean => tokenProblem === null && isUnlimited(sender)

/** Whose token pays, if they come by one. */
export const payerOf = (reader: Reader): Viewer | null => (isFree(reader) ? reader.sender : reader.viewer)

/** What of a token pays too, beside its owner or, where that one is free, alone. */
export interface TokenCharges {
  readonly calls: readonly LimitRequest[]
  bytes(amount: number): readonly LimitRequest[]
}

/** By the token in whose name it is read; by the own of whoever is free of all else. Null where there is none. */
export function tokenChargesOf(reader: Reader): TokenCharges | null {
  const payer = payerOf(reader)
  if (!payer?.token) return null
  const calls = tokenRequests(payer, 'read')
  return { calls, bytes: (bytes) => tokenBytes(payer, bytes) }
}
