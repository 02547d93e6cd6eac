import { Secret, TOTP } from 'otpauth'
import type { SignedIn, TestApp } from '../sluice/sluice-app.ts'

/** Returns the code that an authenticator app shows for a secret; of another time if `at` is given, in milliseconds. */
export const currentCode = (secret: string, at = Date.now()): string =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: at })

/** Makes a browser of the account trusted, and returns its ID. */
export async function insertTrusted({ app }: TestApp, { viewer }: SignedIn): Promise<string> {
  const now = new Date()
  const until = new Date(now.getTime() + 60_000)
  const facts = { userAgent: 'a browser', address: '192.0.2.9', createdAt: now, lastUsedAt: now }
  const data = { userId: viewer.userId, ...facts, expiresAt: until, trustedUntil: until }
  return (await app.db.device.create({ data, select: { id: true } })).id
}
