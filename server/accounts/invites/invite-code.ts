import { createHash, randomBytes } from 'node:crypto'

/** Returns a new code of 128 random bits. */
export const newInviteCode = (): string => randomBytes(16).toString('base64url')

/** Returns the hash that is stored in place of the code. Codes are random, so it needs no salt. */
export const hashInviteCode = (code: string): string => createHash('sha256').update(code).digest('hex')
