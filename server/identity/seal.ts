import { createSealer } from '#server/sealed.ts'

/*
 * Secrets that Sluice has to read again, such as those of authenticator apps and providers, are stored encrypted with AES-256-GCM
 * under a key that HKDF derives from SLUICE_SECRET: a copy of the database alone opens none of them.
 */

const VERSION = 'v1.'
const PURPOSE = 'sluice secrets at rest'

interface Site {
  readonly secret: string
}

/** Returns the text encrypted for the database. `about` says whose secret it is, such as `totp/<user ID>`: moved to another row, it
 *  does not open. */
export const sealSecret = ({ secret }: Site, text: string, about: string): string =>
  VERSION + createSealer(secret, PURPOSE).seal(text, about)

/** Returns the text; null if it was sealed with another SLUICE_SECRET, about something else or by a newer version, or is damaged. */
export function openSecret({ secret }: Site, sealed: string, about: string): string | null {
  if (!sealed.startsWith(VERSION)) return null
  return createSealer(secret, PURPOSE).open(sealed.slice(VERSION.length), about)
}
