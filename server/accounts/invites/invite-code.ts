import { createHash, randomBytes } from 'node:crypto'

/** A new invite's code: 128 random bits, shown once. */
export const newInviteCode = (): string => randomBytes(16).toString('base64url')

/** What the database keeps of a code. Codes are random, so a plain hash needs no salt. */
export const hashInviteCode = (code: string): string => createHash('sha256').update(code).digest('hex')
