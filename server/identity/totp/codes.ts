import { Secret, TOTP } from 'otpauth'

/** Seconds that a code is shown: with six digits and SHA-1 what every authenticator app assumes (RFC 6238). */
const STEP_SECONDS = 30

/** Steps that a code may be off, either way: what typing takes, and a clock that is not quite right. */
const DRIFT_STEPS = 1

/** Steps within which a code is recognized as one of another time, so that an error can say so: ten minutes. */
const RECOGNIZED_STEPS = 20

/** 160 bits, as RFC 4226 recommends. */
const SECRET_BYTES = 20

/** Returns a new secret, in base32. */
export const createTotpSecret = (): string => new Secret({ size: SECRET_BYTES }).base32

/** Returns the address that authenticator apps read from a QR code. Apps take a colon for the end of the issuer's name. */
export function totpUri(secret: string, { issuer, username }: { issuer: string; username: string }): string {
  return new TOTP({
    issuer: issuer.replaceAll(':', ' '),
    label: username,
    secret: Secret.fromBase32(secret),
  }).toString()
}

interface MatchedCode {
  /** The time step that the code is of. */
  readonly step: number
  /** Whether it is close enough to be accepted. */
  readonly isCurrent: boolean
  /** Minutes by which a code of another time is ahead, or behind if negative; never 0. */
  readonly minutesOff: number
}

/** Returns what time a code is of, however it was typed; null for one that is of no time within ten minutes. */
export function matchCode(secret: string, typed: string, now: number): MatchedCode | null {
  const token = typed.normalize('NFKC').replaceAll(/\s/g, '')
  if (!/^\d{6}$/.test(token)) return null
  const delta = TOTP.validate({ token, secret: Secret.fromBase32(secret), timestamp: now, window: RECOGNIZED_STEPS })
  if (delta === null) return null
  const minutesOff = Math.sign(delta) * Math.max(1, Math.round((Math.abs(delta) * STEP_SECONDS) / 60))
  const step = Math.floor(now / 1_000 / STEP_SECONDS) + delta
  return { step, isCurrent: Math.abs(delta) <= DRIFT_STEPS, minutesOff }
}
