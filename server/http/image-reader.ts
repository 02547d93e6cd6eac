import type { IncomingMessage } from 'node:http'
import { viewerOfSession } from '#server/accounts/sessions.ts'
import { callerOf, isSuperadmin, type Viewer } from '#server/accounts/viewer.ts'
import type { App } from '#server/app.ts'
import type { ByteRequest } from '#server/images/byte-request.ts'
import type { VariantWidth } from '#server/images/variant.ts'
import type { Permit } from '#server/limits/permit.ts'
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

/** Superadmins are free, but their links are not: whoever was given one reads at the expense of its holder. */
export async function charge(
  app: App,
  asked: ByteRequest,
  { sender, viewer }: Reader,
  { address, signal }: { readonly address: string; readonly signal: AbortSignal },
): Promise<Permit | null> {
  const part = partOf(asked)
  const sets = imageLimits[part]
  const label = `image bytes (${part})`
  if (isSuperadmin(sender)) {
    app.limiter.free(label, sets)
    return null
  }
  return app.limiter.reserve([{ sets, caller: callerOf(viewer, address), input: asked }], { label, signal })
}

function partOf({ width }: ByteRequest): keyof typeof imageLimits {
  if (width === null) return 'original'
  return width > SMALL ? 'large' : 'small'
}
