/**
 * Returns where to go after signing in: a path of this site, or `/`. Rejects anything that a browser could take for
 * another site.
 */
export function safePath(next: string | null | undefined): string {
  if (!next?.startsWith('/')) return '/'
  const base = 'http://site.invalid'
  if (!URL.canParse(next, base)) return '/'
  const url = new URL(next, base)
  const path = url.pathname + url.search + url.hash
  // Normalizing can turn a path into a host: /.//evil.example becomes //evil.example.
  return url.origin === base && new URL(path, base).origin === base ? path : '/'
}

/** Returns the path and query of an absolute URL of this server, so that pages work under every host name. */
export function toPath(url: string): string {
  const { pathname, search } = new URL(url)
  return pathname + search
}
