import type { IncomingMessage } from 'node:http'
import { identify } from '#server/accounts/identify.ts'
import { viewerOfSession } from '#server/accounts/sessions/sessions.ts'
import { bearerTokenOf, viewerOfTokenId } from '#server/accounts/tokens/api-token.ts'
import { isUnlimited, type Viewer } from '#server/accounts/viewer.ts'
import type { App } from '#server/app.ts'
import type { ByteRequest } from '#server/images/byte-request.ts'
import type { LinkHolder } from '#server/images/links/download-link.ts'
import type { Decision } from '#server/limits/decision.ts'

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

/** Superadmins are exempt, but their links are not, by which others read at their expense. Neither are they with a token that
 *  is not for reading. */
export const isExempt = ({ sender, tokenProblem }: Sender): boolean => tokenProblem === null && isUnlimited(sender)

/** Whose token is charged, if they have one. */
export const payerOf = (reader: Reader): Viewer | null => (isExempt(reader) ? reader.sender : reader.viewer)
