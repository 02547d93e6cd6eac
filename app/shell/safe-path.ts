/** Where to go after signing in: a path of this site, or `/`. Anything a browser could take for another site is refused. */
export function safePath(next: string | null | undefined): string {
  if (!next?.startsWith('/')) return '/'
  const base = 'http://site.invalid'
  if (!URL.canParse(next, base)) return '/'
  const url = new URL(next, base)
  return url.origin === base ? url.pathname + url.search + url.hash : '/'
}

/** Path and query of an absolute URL of this server, so that a page works under every name it is reached by. */
export function pathOf(url: string): string {
  const { pathname, search } = new URL(url)
  return pathname + search
}
