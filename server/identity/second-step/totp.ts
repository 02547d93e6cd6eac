import type { TRPCError } from '@trpc/server'
import type { Transaction } from '#server/database/database.ts'
import { refuse } from '#server/errors/refuse.ts'
import { matchCode } from '../totp/codes.ts'
import { openTotpSecret } from '../totp/factor.ts'
import type { SecondStepMethod } from './method.ts'

/** The code that the account's authenticator app shows, once. */
export const totp: SecondStepMethod = {
  isGuessable: true,
  isReady: ({ totp }) => totp,
  accept: async (tx, { userId, answer, site }) => {
    const factor = await tx.totpFactor.findUnique({ where: { userId }, select: { sealedSecret: true } })
    if (!factor) return refuse('wrong-second-step')
    const secret = openTotpSecret(site, { userId, ...factor })
    return secret === null ? refuse('totp-ended') : spendCode(tx, userId, matchCode(secret, answer, Date.now()))
  },
}

/** Accepts no code of the last accepted step, or of an earlier one. */
async function spendCode(
  tx: Transaction,
  userId: string,
  match: ReturnType<typeof matchCode>,
): Promise<TRPCError | null> {
  if (!match) return refuse('wrong-totp')
  const { step, isCurrent, minutesOff } = match
  // An error that recognized a code of a later time would tell somebody who guesses when to enter it.
  if (!isCurrent) return minutesOff < 0 ? refuse('totp-clock-behind', { minutes: -minutesOff }) : refuse('wrong-totp')
  const isUnused = { OR: [{ lastUsedStep: null }, { lastUsedStep: { lt: step } }] }
  const { count } = await tx.totpFactor.updateMany({ where: { userId, ...isUnused }, data: { lastUsedStep: step } })
  return count > 0 ? null : refuse('wrong-totp')
}
