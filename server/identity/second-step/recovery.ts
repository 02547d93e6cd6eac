import { hash, randomBytes } from 'node:crypto'
import { writeAudit } from '#server/audit/audit.ts'
import type { Transaction } from '#server/database/database.ts'
import { refuse } from '#server/errors/refuse.ts'
import type { SecondStepMethod } from './method.ts'

/** The codes that an account is given at a time. */
export const RECOVERY_CODES = 10

/** Crockford's base32, which has no letters that look like others. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

/** 80 bits, out of reach of guesses, so that a fast hash is enough. */
const LENGTH = 16

/** Returns a code as it is hashed, however it was typed. */
const normalize = (code: string): string =>
  code
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
    .replaceAll('o', '0')
    .replaceAll(/[il]/g, '1')

const hashCode = (code: string): string => hash('sha256', normalize(code))

function createCode(): string {
  const letters = Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte % ALPHABET.length])
  return letters.join('').replaceAll(/(.{4})(?=.)/g, '$1-')
}

/** Gives the account new recovery codes, and deletes those that it had. Returns them, to be shown once. The account's row must be
 *  locked. */
export async function createRecoveryCodes(tx: Transaction, userId: string): Promise<readonly string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, createCode)
  await tx.recoveryCode.deleteMany({ where: { userId } })
  await tx.recoveryCode.createMany({ data: codes.map((code) => ({ userId, codeHash: hashCode(code) })) })
  return codes
}

/** One of the account's recovery codes, each of which works once. */
export const recovery: SecondStepMethod = {
  isGuessable: false,
  isReady: ({ recoveryCodes }) => recoveryCodes > 0,
  accept: async (tx, { userId, answer, actor }) => {
    const where = { userId, codeHash: hashCode(answer), usedAt: null }
    const { count } = await tx.recoveryCode.updateMany({ where, data: { usedAt: new Date() } })
    if (count === 0) return refuse('wrong-second-step')
    const left = await tx.recoveryCode.count({ where: { userId, usedAt: null } })
    const account = { id: userId, username: actor.username }
    await writeAudit(tx, actor, {
      action: 'account.useRecoveryCode',
      target: `user/${userId}`,
      account,
      before: { codesLeft: left + 1 },
      after: { codesLeft: left },
    })
    return null
  },
}
