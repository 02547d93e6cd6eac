import { z } from 'zod'
import { invalid } from '#server/errors/invalid.ts'
import { cleanLine } from './clean-line.ts'
import { skeleton } from './look-alike.ts'

/** The longest display name, in characters. */
const MAX_NAME = 40

/** Names with which an account would speak for the site, whole or as one of several words. */
const OFFICIAL = ['sluice', 'admin', 'administrator', 'superadmin', 'moderator', 'sysadmin', 'webmaster']

/** The same, as the whole name. */
const OFFICIAL_ALONE = ['mod', 'official', 'owner', 'root', 'security', 'staff', 'support', 'system', 'deleted account']

const official = new Set(OFFICIAL.map(skeleton))
const officialAlone = new Set(OFFICIAL_ALONE.map(skeleton))

/** Returns whether a name could be taken for the site, by its name, or for its admins, in whatever letters. */
export function soundsOfficial(name: string, siteName: string): boolean {
  const words = name
    .normalize('NFKC')
    .split(/[^\p{L}\p{N}\p{M}@$|!]+/u)
    .map(skeleton)
  const whole = skeleton(name)
  const isNamed = official.has(whole) || officialAlone.has(whole) || whole === skeleton(siteName)
  return isNamed || words.some((word) => official.has(word))
}

/** A display name, cleaned. Rejects markup, and names that nobody can read. */
export const displayNameSchema = z
  .string()
  // Longer text is not even cleaned.
  .max(1_000, invalid('displayNameTooLong'))
  .transform(cleanLine)
  .pipe(
    z
      .string()
      .refine((name) => [...name].length <= MAX_NAME, { error: invalid('displayNameTooLong'), abort: true })
      .refine((name) => /[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(name.normalize('NFKC')), {
        error: invalid('displayName'),
        abort: true,
      })
      .refine((name) => !/[<>]/.test(name), invalid('displayNameMarkup')),
  )

/** Returns whether a display name would show the account's sign-in name to everyone. */
export const showsUsername = (displayName: string, username: string): boolean =>
  skeleton(displayName) === skeleton(username)
