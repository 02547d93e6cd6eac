/** Where to go after signing in: a path of this site, or `/`. Anything a browser could take for another site is refused. */
export function safePath(next: string | null | undefined): string {
  if (!next?.startsWith('/')) return '/'
  const base = 'http://site.invalid'
  if (!URL.canParse(next, base)) return '/'
  const url = new URL(next, base)
  const path = url.pathname + url.search + url.hash
  // Normalising may itself have made what names a host: /.//evil.example becomes //evil.example.
  return url.origin === base && new URL(path, base).origin === base ? path : '/'
}

/** Path and query of an absolute URL of this server, so that a page works under every name it is reached by. */
export function pathOf(url: string): string {
  const { pathname, search } = new URL(url)
  return pathname + search
}
