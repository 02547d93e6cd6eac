import { isIP } from 'node:net'

/*
 * Passkeys are of a host name, the relying party's ID in WebAuthn: browsers offer them there alone. It is taken from SLUICE_ORIGIN,
 * never from what a request says.
 */

interface Site {
  readonly origin: string
}

/** Returns the relying party's ID. */
export const rpIdOf = ({ origin }: Site): string => new URL(origin).hostname

/** Returns whether browsers have passkeys at the site's address: they need HTTPS, except for localhost, and a name. */
export function canHavePasskeys(site: Site): boolean {
  const host = rpIdOf(site)
  const isAddress = isIP(host) !== 0 || host.startsWith('[')
  return !isAddress && (site.origin.startsWith('https:') || host === 'localhost' || host.endsWith('.localhost'))
}
