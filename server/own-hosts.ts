const LOOPBACK: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

/** The names of a site's host, as URLs spell them. One on a loopback name has all three of them, because a browser on the same
 *  machine may use any. */
export function ownHosts(origin: string): readonly string[] {
  const { hostname } = new URL(origin)
  return LOOPBACK.includes(hostname) ? LOOPBACK : [hostname]
}
