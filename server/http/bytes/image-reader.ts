import type { IncomingMessage } from 'node:http'
import { identify } from '#server/accounts/identify.ts'
import { holderOfSession } from '#server/accounts/sessions/sessions.ts'
import { readBearerToken, viewerOfTokenId } from '#server/accounts/tokens/api-token.ts'
import { isUnlimited, type Viewer } from '#server/accounts/viewer.ts'
import type { ByteRequest } from '#server/images/byte-request.ts'
import type { LinkHolder } from '#server/images/links/download-link.ts'
import type { Decision } from '#server/limits/decision.ts'
import type { Services } from '#server/services.ts'

/** Who sends a request for bytes. */
export interface Sender {
  /** Identified by the session cookie or the token. */
  readonly sender: Viewer | null
  /** Why the token is rejected: it is invalid, or lacks the scope. */
  readonly tokenProblem: 'void' | 'scope' | null
  /** Too many wrong tokens came from this address, so the token was not looked up. */
  readonly tokenDecision: Decision | null
}

/** The sender, and the viewer on whose behalf it reads. */
export interface Reader extends Sender {
  /** The sender, or the holder of the download link. */
  readonly viewer: Viewer | null
  /** False for a download link that is invalid, or whose holder's session or token has ended. */
  readonly isAdmitted: boolean
  /** The download link is not of this site, rather than expired. */
  readonly isForged: boolean
}

/** Identifies the reader by cookie or token, and by the download link if the address has one. */
export async function identifyReader(
  app: Services,
  req: IncomingMessage,
  { slug, download }: ByteRequest,
  address: string,
): Promise<Reader> {
  const sent = await identifySender(app, req, address)
  const own = { ...sent, viewer: sent.sender, isAdmitted: true, isForged: false }
  if (download === null || own.tokenProblem) return own
  const { downloadLinks } = app.images
  const link = downloadLinks.open(slug, download)
  if (link === null) return { ...own, isAdmitted: false, isForged: downloadLinks.isForged(slug, download) }
  if (!link.holder) return own
  const holder = await viewerOfHolder(app, link.holder)
  return { ...own, viewer: holder ?? own.sender, isAdmitted: holder !== null }
}

/** Identifies the sender by cookie or token alone. One who must set up a second factor first reads as a guest until then. */
export async function identifySender(app: Services, req: IncomingMessage, address: string): Promise<Sender> {
  const { viewer, tokenDecision } = await identify(app, req.headers, address)
  const sender = viewer?.needsFactor ? null : viewer
  return { sender, tokenProblem: findTokenProblem(sender, req), tokenDecision }
}

function findTokenProblem(sender: Viewer | null, { headers }: IncomingMessage): Sender['tokenProblem'] {
  if (sender === null) return readBearerToken(headers.authorization) === null ? null : 'void'
  return sender.token && !sender.token.scopes.includes('read') ? 'scope' : null
}

/** Returns a link's holder as a viewer; null once the holder's session or token has ended. */
export const viewerOfHolder = (app: Pick<Services, 'db' | 'site'>, { by, id }: LinkHolder): Promise<Viewer | null> =>
  by === 'token' ? viewerOfTokenId(app.db, id) : holderOfSession(app, id)

/** Superadmins are exempt. Their links are not: others use them, at the holder's expense. */
export const isExempt = ({ sender }: Sender): boolean => isUnlimited(sender)
