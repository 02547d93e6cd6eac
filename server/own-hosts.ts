const LOOPBACK: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

/** Returns the site's host names as URLs spell them. A loopback site has all three loopback names, because a browser on the
 *  same machine may use any of them. */
export function ownHosts(origin: string): readonly string[] {
  const { hostname } = new URL(origin)
  return LOOPBACK.includes(hostname) ? LOOPBACK : [hostname]
}
