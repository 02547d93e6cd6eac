import type { Transaction } from '#server/database/database.ts'
import { openSecret, sealSecret } from '../seal.ts'

/*
 * The authenticator app of an account. Its row is created by the first right code: until then the set-up is kept by the browser alone
 * (set-up.ts).
 */

interface Site {
  readonly secret: string
}

const about = (userId: string): string => `totp/${userId}`

/** Returns the secret of an account's app; null if it was sealed with another SLUICE_SECRET. */
export const openTotpSecret = (site: Site, { userId, sealedSecret }: { userId: string; sealedSecret: string }) =>
  openSecret(site, sealedSecret, about(userId))

/** Makes the secret that of the account's app, in place of an earlier one. `step` is that of the code that has proven it. The account's
 *  row must be locked. */
export async function saveTotp(
  tx: Transaction,
  site: Site,
  { userId, secret, step }: { readonly userId: string; readonly secret: string; readonly step: number },
): Promise<Date> {
  const createdAt = new Date()
  const data = { sealedSecret: sealSecret(site, secret, about(userId)), lastUsedStep: step, createdAt }
  await tx.totpFactor.upsert({ where: { userId }, create: { userId, ...data }, update: data, select: { userId: true } })
  return createdAt
}
