import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { translate } from '#messages/translate.ts'

/*
 * The page that a browser shows in place of a page, an image or a zip that was refused. It needs no other file and no script,
 * because further requests may be refused too.
 */

const TITLES = {
  403: 'http.deniedTitle',
  429: 'http.tooManyTitle',
  503: 'http.unavailableTitle',
} as const

export type PageStatus = keyof typeof TITLES

/** The colours are those of app/styles.css. */
const STYLE = `:root{color-scheme:light dark;--ground:light-dark(oklch(.982 .003 200),oklch(.178 .011 225));--ink:light-dark(oklch(.235 .018 230),oklch(.955 .006 205));--soft:light-dark(oklch(.455 .018 225),oklch(.752 .013 215));--line:light-dark(oklch(.905 .007 205),oklch(.308 .013 225));--surface:light-dark(#fff,oklch(.222 .013 225));--water:light-dark(oklch(.495 .092 212),oklch(.795 .095 200))}
:root[data-theme=light]{color-scheme:light}:root[data-theme=dark]{color-scheme:dark}
body{margin:0;min-height:100dvh;box-sizing:border-box;padding:1.75rem 1.5rem;display:grid;grid-template-rows:auto 1fr;background:var(--ground);color:var(--ink);font:1rem/1.5 ui-sans-serif,system-ui,-apple-system,'Segoe UI',Roboto,'Liberation Sans',sans-serif}
header{display:flex;align-items:center;gap:.625rem;font-size:1.0625rem;font-weight:600;letter-spacing:-.02em}
svg{width:1.5rem;height:1.5rem}.water{stroke:var(--water)}
main{display:flex;flex-direction:column;gap:1.5rem;justify-content:center;width:100%;max-width:24rem;margin:0 auto;padding:2.5rem 0;box-sizing:border-box}
h1{margin:0 0 .5rem;font-size:1.5rem;line-height:1.33;letter-spacing:-.02em}p{margin:0;color:var(--soft);overflow-wrap:anywhere}
a{align-self:start;padding:.5rem 1rem;border:1px solid var(--line);border-radius:7px;background:var(--surface);color:inherit;font-weight:500;text-decoration:none}
a:focus-visible{outline:2px solid var(--water);outline-offset:2px}`

const MARK = `<svg viewBox="0 0 28 28" aria-hidden="true" fill="none"><path d="M3.3 25V3.8h21.4V25" stroke="currentColor" stroke-width="2.6" stroke-linecap="square"/><path d="M8 4h12v9.4H8z" fill="currentColor"/><g class="water" stroke-width="2.1" stroke-linecap="round"><path d="M6.8 18.9q1.8-2.1 3.6 0t3.6 0 3.6 0 3.6 0"/><path d="M6.8 23.9q1.8-2.1 3.6 0t3.6 0 3.6 0 3.6 0"/></g></svg>`

const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

/** Returns whether the refusal of a request is for a person to read: a browser that opens an address accepts HTML by name. */
export const wantsPage = ({ method, headers }: IncomingMessage, status: number): status is PageStatus =>
  (method === 'GET' || method === 'HEAD') && status in TITLES && /\btext\/html\b/i.test(headers.accept ?? '')

/** Writes the page, with the refusal's own headers. Caches must not store it. */
export function writeRefusedPage(
  res: ServerResponse,
  status: PageStatus,
  { sentence, headers }: { readonly sentence: string; readonly headers: Readonly<Record<string, string>> },
): void {
  const theme = /(?:^|;\s*)sluice-theme=(light|dark)(?:;|$)/.exec(res.req.headers.cookie ?? '')?.[1]
  const body = page(translate(TITLES[status]), sentence, theme)
  const own = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': POLICY,
    'Cache-Control': 'no-store',
    'Content-Length': Buffer.byteLength(body),
  }
  res.writeHead(status, { ...headers, ...own }).end(body)
}

// An empty address is the page's own: the link asks for it again, but does not send the form of a page that was posted.
const page = (title: string, sentence: string, theme: string | undefined): string => `<!doctype html>
<html lang="en"${theme ? ` data-theme="${theme}"` : ''}>
<meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">
<title>${escapeHtml(title)} · Sluice</title><style>${STYLE}</style>
<header>${MARK}Sluice</header>
<main><div><h1>${escapeHtml(title)}</h1><p>${escapeHtml(sentence)}</p></div><a href="">${escapeHtml(translate('http.tryAgain'))}</a></main>
</html>
`

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
