import type { IncomingHttpHeaders } from 'node:http'
import { readCookie } from '#server/accounts/sessions/session-token.ts'
import type { Decision } from '#server/limits/decision.ts'
import { previewShownShare } from '#server/previews/find-preview.ts'
import type { Preview } from '#server/previews/preview.ts'
import type { Services } from '#server/services.ts'
import { chargeShareRequest } from '#server/sharing/charge-share.ts'
import { hashToken } from '#server/sharing/share-links.ts'
import { findLiveShare, needsVisit } from '#server/sharing/share-row.ts'
import { type ShownShare, showShare } from '#server/sharing/show-share.ts'
import { visitCookieName, visitCookies } from '#server/sharing/visit-cookies.ts'

/** The page of a share as a guest gets it: what it shows, or what opens it. */
export type SharePage =
  /** `preview` is null if a visit is needed: what only its guests see is for no other program. `visit` is what has opened it;
   *  null for a share that needs none. */
  | {
      readonly kind: 'shown'
      readonly share: ShownShare
      readonly preview: Preview | null
      readonly visit: string | null
    }
  /** `viewsLeft` is null for any number. */
  | { readonly kind: 'closed'; readonly hasPassword: boolean; readonly viewsLeft: number | null }

const PATH = /^\/s\/([^/]{1,200})(?:\/report)?$/

/**
 * Charges a share for its page, after the visitor has been charged, so that a flood of wrong links reaches no database. Returns null
 * for any other path, and for a share that has ended. Who has seen the images is noted with their bytes.
 */
export async function chargeSharePage(
  app: Services,
  path: string,
  visitor: { readonly address: string },
): Promise<Decision | null> {
  const [, token] = PATH.exec(path) ?? []
  const share = token === undefined ? null : await findLiveShare(app.db, { tokenHash: hashToken(token) })
  return share && chargeShareRequest(app, share, visitor)
}

interface SharePageRequest {
  readonly token: string
  /** An image that is shown alone; null for a page of images. */
  readonly at: number | null
  /** The first image of the page. */
  readonly from: number
  readonly headers: IncomingHttpHeaders
}

/** Reads the page of a share; null if there is none. It takes no view, because programs that preview links load it
 *  too. */
export async function readSharePage(
  app: Services,
  { token, at, from, headers }: SharePageRequest,
): Promise<SharePage | null> {
  const share = await findLiveShare(app.db, { tokenHash: hashToken(token) })
  if (!share) return null
  const visit = readCookie(headers.cookie, visitCookieName(app.config.origin))
  const isVisiting = visit !== undefined && app.sharing.visits.isOpen(share, visit)
  if (!needsVisit(share) || isVisiting) {
    const shown = await showShare(app, share, at ?? from)
    const preview = needsVisit(share) ? null : await previewShownShare(app, share, shown, { token, at, from })
    return { kind: 'shown', share: shown, preview, visit: isVisiting ? visit : null }
  }
  const viewsLeft = share.maxViews === null ? null : Math.max(0, share.maxViews - share.views)
  return viewsLeft === 0 ? null : { kind: 'closed', hasPassword: share.passwordHash !== null, viewsLeft }
}

/** Returns the Set-Cookie headers of a visit that the form of a share's page has opened. */
export async function cookiesOfVisit(app: Services, token: string, visit: string): Promise<readonly string[]> {
  const share = await findLiveShare(app.db, { tokenHash: hashToken(token) })
  if (!share) return []
  const paths = [`/s/${encodeURIComponent(token)}`, `/i/s/${app.sharing.keys.keyFor(share.id)}`]
  return visitCookies(app.config.origin, visit, paths)
}
