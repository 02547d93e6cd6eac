import type { PrismaClient, Transaction } from '#server/database/database.ts'
import { refuse } from '#server/errors/refuse.ts'
import type { SecondFactorRule } from '#server/site/settings.ts'
import type { Viewer } from '../accounts/viewer.ts'

/** What an account can prove itself with, besides its password. */
export interface Factors {
  /** An authenticator app. */
  readonly totp: boolean
  readonly passkeys: number
  /** Those that have not been used. */
  readonly recoveryCodes: number
}

export async function readFactors(db: PrismaClient | Transaction, userId: string): Promise<Factors> {
  const [totp, passkeys, recoveryCodes] = await Promise.all([
    db.totpFactor.count({ where: { userId } }),
    db.passkey.count({ where: { userId } }),
    db.recoveryCode.count({ where: { userId, usedAt: null } }),
  ])
  return { totp: totp > 0, passkeys, recoveryCodes }
}

/** What the audit says of factors. */
export const NO_FACTORS = { totp: false, passkeys: 0, codesLeft: 0 } as const

/** Ends all second factors of an account, with what stands in for them. Returns what there was, as the audit says it; null if there was
 *  none. The account's row must be locked. */
export async function endFactors(tx: Transaction, userId: string) {
  const { totp, passkeys, recoveryCodes: codesLeft } = await readFactors(tx, userId)
  if (!totp && passkeys === 0) return null
  await tx.totpFactor.deleteMany({ where: { userId } })
  await tx.passkey.deleteMany({ where: { userId } })
  await endStandIns(tx, userId)
  return { totp, passkeys, codesLeft }
}

/** Returns whether signing in takes a second step. Recovery codes are no factor: they stand in for one that is lost. */
export const hasSecondFactor = ({ totp, passkeys }: Factors): boolean => totp || passkeys > 0

/** Ends what stands in for the last second factor once it is removed: recovery codes, trusted devices, and second steps under way. The
 *  account's row must be locked. */
export async function endStandIns(tx: Transaction, userId: string): Promise<void> {
  await tx.recoveryCode.deleteMany({ where: { userId } })
  await tx.device.updateMany({ where: { userId, trustedUntil: { not: null } }, data: { trustedUntil: null } })
  await tx.pendingSignIn.deleteMany({ where: { userId } })
}

/** Ends what stands in for second factors if the one just removed was the last. Throws FORBIDDEN if the site requires one. The account's
 *  row must be locked. */
export async function endWithoutFactor(
  tx: Transaction,
  rule: SecondFactorRule,
  account: Pick<Viewer, 'userId' | 'role' | 'shared'>,
): Promise<void> {
  if (hasSecondFactor(await readFactors(tx, account.userId))) return
  if (requiresFactor(rule, account)) throw refuse('factor-required')
  await endStandIns(tx, account.userId)
}

/** Returns whether the site requires a second factor of an account. Shared accounts have none: their users share no device. */
export function requiresFactor(rule: SecondFactorRule, { role, shared }: Pick<Viewer, 'role' | 'shared'>): boolean {
  if (shared) return false
  return rule === 'required-all' || (rule === 'required-admins' && role !== 'user')
}

/** Returns whether an account must set up a second factor before anything else. Asks the database only where one is required. */
export async function lacksRequiredFactor(
  db: PrismaClient,
  rule: SecondFactorRule,
  account: Pick<Viewer, 'userId' | 'role' | 'shared'>,
): Promise<boolean> {
  return requiresFactor(rule, account) && !hasSecondFactor(await readFactors(db, account.userId))
}
