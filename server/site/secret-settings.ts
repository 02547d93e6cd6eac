import { openSecret, sealSecret } from '#server/identity/seal.ts'
import type { SiteTexts } from './settings.ts'

/*
 * The password of the mail server is stored sealed, and returned to nobody. It is sealed for the server and user that it was entered
 * for: whoever changes these, in a browser that was left open, cannot have it sent to a server of their own.
 */

interface Site {
  readonly secret: string
}

/** What readers get of a password that is set. */
export const HIDDEN = '•••'

const about = ({ SLUICE_MAIL_SERVER: server = '' }: SiteTexts): string => `mail/${server}`

/** Returns the texts in force: stored ones, with their secrets opened, and the environment's above them. A secret that does not open
 *  is left out. */
export function openTexts(site: Site, stored: SiteTexts, environment: SiteTexts): SiteTexts {
  const { SLUICE_MAIL_PASSWORD: sealed, ...texts } = stored
  const password = sealed === undefined ? null : openSecret(site, sealed, about({ ...texts, ...environment }))
  return { ...texts, ...(password !== null && { SLUICE_MAIL_PASSWORD: password }), ...environment }
}

/** Returns changed texts as they are stored, with a new password sealed. */
export function sealTexts(site: Site, texts: SiteTexts, environment: SiteTexts, password: string): SiteTexts {
  return { ...texts, SLUICE_MAIL_PASSWORD: sealSecret(site, password, about({ ...texts, ...environment })) }
}

/** Returns the texts with a mark in place of a password. */
export function hideSecrets(texts: SiteTexts): SiteTexts {
  return texts.SLUICE_MAIL_PASSWORD === undefined ? texts : { ...texts, SLUICE_MAIL_PASSWORD: HIDDEN }
}

/** Returns whether a stored password does not open: it is for another server or user, or was sealed with another SLUICE_SECRET. */
export function hasEndedPassword(site: Site | null, stored: SiteTexts, environment: SiteTexts): boolean {
  if (stored.SLUICE_MAIL_PASSWORD === undefined || environment.SLUICE_MAIL_PASSWORD !== undefined) return false
  return site === null || openTexts(site, stored, environment).SLUICE_MAIL_PASSWORD === undefined
}
