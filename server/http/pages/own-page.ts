import { ownHosts } from '#server/own-hosts.ts'

/**
 * Returns whether a page of this site has led a browser here, or its user by hand. Browsers say so in Sec-Fetch-Site, and where the site
 * is reached over plain HTTP, in Referer alone (`Referrer-Policy: same-origin`).
 */
export function comesFromOwnPage(origin: string, headers: Headers): boolean {
  const site = headers.get('sec-fetch-site')
  if (site !== null) return site === 'same-origin' || site === 'none'
  const referrer = headers.get('referer')
  return referrer !== null && URL.canParse(referrer) && ownHosts(origin).includes(new URL(referrer).hostname)
}
