import type { PrismaClient } from '#server/database/database.ts'
import { hashInviteCode } from './invite-code.ts'

/** Invites that have uses left and have not expired. */
export const usable = (now = new Date()) => ({ usesLeft: { gt: 0 }, expiresAt: { gt: now } })

/** Which of them a code opens. */
export const usableInvite = (code = '') => ({ codeHash: hashInviteCode(code), ...usable() })

/** Whether somebody could sign up by this code now. It has 128 random bits, so that nobody finds one by asking. */
export async function isInviteUsable(db: PrismaClient, code: string): Promise<boolean> {
  return (await db.invite.findFirst({ where: usableInvite(code), select: { id: true } })) !== null
}
