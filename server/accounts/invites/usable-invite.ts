import type { PrismaClient } from '#server/database/database.ts'
import { hashInviteCode } from './invite-code.ts'

/** Filters for invites with uses left that have not expired. */
export const usable = (now = new Date()) => ({ usesLeft: { gt: 0 }, expiresAt: { gt: now } })

/** Filters for the usable invite with this code. */
export const usableInvite = (code = '') => usableInviteByHash(hashInviteCode(code))

/** The same by the code's hash, which a sign-in by a provider keeps. */
export const usableInviteByHash = (codeHash: string) => ({ codeHash, ...usable() })

/** Returns whether the code can be used now. It is safe to expose: codes have 128 random bits and cannot be guessed. */
export async function isInviteUsable(db: PrismaClient, code: string): Promise<boolean> {
  return (await db.invite.findFirst({ where: usableInvite(code), select: { id: true } })) !== null
}
