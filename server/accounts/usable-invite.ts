import type { PrismaClient } from '#server/database/database.ts'
import { hashInviteCode } from './invite-code.ts'

/** Which invite a code opens: one that has uses left and has not expired. */
export const usableInvite = (code = '') => ({
  codeHash: hashInviteCode(code),
  usesLeft: { gt: 0 },
  expiresAt: { gt: new Date() },
})

/** Whether somebody could sign up by this code now. It has 128 random bits, so that nobody finds one by asking. */
export async function isInviteUsable(db: PrismaClient, code: string): Promise<boolean> {
  return (await db.invite.findFirst({ where: usableInvite(code), select: { id: true } })) !== null
}
