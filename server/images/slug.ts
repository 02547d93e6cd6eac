import { randomBytes } from 'node:crypto'

/** A slug as it stands in an image's address. */
export const SLUG_PATTERN = /^[A-Za-z0-9_-]{22}$/

/** 128 random bits in base64url: whoever has the slug of a `link` image may read it. */
export const newSlug = (): string => randomBytes(16).toString('base64url')
