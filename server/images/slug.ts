import { randomBytes } from 'node:crypto'

export const SLUG_PATTERN = /^[A-Za-z0-9_-]{22}$/

/** Returns 128 random bits in base64url, since knowing the slug of a `link` image allows reading it. */
export const newSlug = (): string => randomBytes(16).toString('base64url')
