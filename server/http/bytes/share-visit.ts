import type { IncomingMessage } from 'node:http'
import { readCookie } from '#server/accounts/sessions/session-token.ts'
import type { Services } from '#server/services.ts'
import { findLiveShare, type ShareRow } from '#server/sharing/share-row.ts'
import { visitCookieName } from '#server/sharing/visit-cookies.ts'

/** Returns the share that a key of byte addresses belongs to; null for a forged key, without a query, and for a share that has
 *  ended. */
export async function findShareOf({ db, sharing }: Services, key: string): Promise<ShareRow | null> {
  const id = sharing.keys.openKey(key)
  return id === null ? null : findLiveShare(db, { id })
}

/** Whether a request belongs to a visit of the share, by its cookie or its header. */
export function hasVisit({ config, sharing }: Services, share: ShareRow, { headers }: IncomingMessage): boolean {
  const header = headers['x-share-visit']
  const sent = typeof header === 'string' ? header : readCookie(headers.cookie, visitCookieName(config.origin))
  return sent !== undefined && sharing.visits.isOpen(share, sent)
}
