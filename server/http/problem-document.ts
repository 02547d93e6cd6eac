import { createHash } from 'node:crypto'
import { accentProperties } from '#format/accent.ts'
import { type Locale, textDirection } from '#format/locale.ts'
import { translatorFor } from '#messages/translate.ts'
import type { Sentence } from './sentence.ts'
import type { SiteName } from './site-name.ts'

/*
 * The page that a browser shows in place of what it asked for. It needs no other file but the site's logo, because further
 * requests may be refused too, and looks like the pages that app/shell/blank.tsx makes.
 */

const TITLES = {
  400: 'http.invalidTitle',
  403: 'http.deniedTitle',
  404: 'http.notFoundTitle',
  405: 'http.invalidTitle',
  413: 'http.tooLargeTitle',
  429: 'http.tooManyTitle',
  431: 'http.tooLargeTitle',
  500: 'http.failedTitle',
  503: 'http.unavailableTitle',
} as const

type TitledStatus = keyof typeof TITLES
const isTitled = (status: number): status is TitledStatus => status in TITLES
const titleKey = (status: number) => TITLES[isTitled(status) ? status : status < 500 ? 400 : 500]

/** What asking again may change. The others lead to the images. */
const AGAIN = new Set([403, 408, 429, 500, 503])

/** The longest countdown, in seconds: beyond it, the sentence with the wait must do. */
const LONGEST = 86_400

/** The colours are those of app/styles.css. */
const STYLE = `:root{color-scheme:light dark;--ground:light-dark(oklch(.982 .003 200),oklch(.178 .011 225));--ink:light-dark(oklch(.235 .018 230),oklch(.955 .006 205));--soft:light-dark(oklch(.455 .018 225),oklch(.752 .013 215));--line:light-dark(oklch(.905 .007 205),oklch(.308 .013 225));--surface:light-dark(#fff,oklch(.222 .013 225));--water:light-dark(var(--accent-light,oklch(.495 .092 212)),var(--accent-dark,oklch(.795 .095 200)))}
:root[data-theme=light]{color-scheme:light}:root[data-theme=dark]{color-scheme:dark}
body{margin:0;min-height:100dvh;display:grid;grid-template-rows:auto 1fr;background:var(--ground);color:var(--ink);font:.9375rem/1.5 ui-sans-serif,system-ui,-apple-system,'Segoe UI Variable Text','Segoe UI',Roboto,'Liberation Sans',sans-serif;-webkit-font-smoothing:antialiased}
header{display:flex;align-items:center;gap:.625rem;height:3.5rem;padding:0 1rem;border-bottom:1px solid var(--line);font-size:1.0625rem;font-weight:600;letter-spacing:-.02em}
@media(min-width:40rem){header{padding:0 1.5rem}}
header svg{width:1.5rem;height:1.5rem}header img{width:auto;height:1.75rem;max-width:10rem;object-fit:contain}.water{stroke:var(--water)}
main{align-self:start;display:flex;flex-direction:column;gap:1.5rem;align-items:center;justify-content:center;min-height:70vh;padding:1.5rem;text-align:center}
main svg{width:3.5rem;height:3.5rem;color:var(--soft)}#blade{transform:translateY(11px)}
div{max-width:28rem}h1{margin:0 0 .5rem;font-size:1.5rem;line-height:1.33;font-weight:600;letter-spacing:-.02em;text-wrap:balance}p{margin:0;color:var(--soft);overflow-wrap:anywhere;text-wrap:balance}
code{display:block;margin-top:.75rem;font:.8125rem ui-monospace,'SF Mono','Cascadia Mono','Liberation Mono',monospace}
#wait b{display:block;margin-top:1rem;color:var(--ink);font-size:2rem;line-height:1.25;font-weight:600;font-variant-numeric:tabular-nums}
nav{display:flex;flex-wrap:wrap;gap:.5rem;justify-content:center}a{padding:.5rem 1rem;border:1px solid var(--line);border-radius:7px;background:var(--surface);color:inherit;font-weight:500;text-decoration:none}
a:first-child{border-color:var(--ink);background:var(--ink);color:var(--ground)}a:focus-visible{outline:2px solid var(--water);outline-offset:2px}`

/** Counts down and raises the blade, then loads the page again: within two seconds, because others may wait for the same. */
const SCRIPT = `const p=document.getElementById('wait'),b=p.firstChild,d=document.getElementById('blade'),w=p.dataset.seconds*1e3,e=Date.now()+w,f=n=>String(n).padStart(2,'0');p.hidden=false
const t=()=>{const l=Math.max(0,e-Date.now()),s=Math.ceil(l/1e3),h=Math.floor(s/3600),m=Math.floor(s/60)%60;b.textContent=(h?h+':'+f(m):m)+':'+f(s%60);d.style.transform='translateY('+11*l/w+'px)';setTimeout(l?t:()=>location.reload(),l?250:Math.random()*2e3)};t()`

const MARK = `<svg viewBox="0 0 28 28" aria-hidden="true" fill="none"><path d="M3.3 25V3.8h21.4V25" stroke="currentColor" stroke-width="2.6" stroke-linecap="square"/><path d="M8 4h12v9.4H8z" fill="currentColor"/><g class="water" stroke-width="2.1" stroke-linecap="round"><path d="M6.8 18.9q1.8-2.1 3.6 0t3.6 0 3.6 0 3.6 0"/><path d="M6.8 23.9q1.8-2.1 3.6 0t3.6 0 3.6 0 3.6 0"/></g></svg>`
const CLOSED = `<svg viewBox="0 0 28 28" aria-hidden="true" fill="none"><path d="M3.3 25V3.8h21.4V25" stroke="currentColor" stroke-width="2.8" stroke-linecap="square"/><path id="blade" d="M8 4h12v9.6H8z" fill="currentColor"/></svg>`

const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
const NONE = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

export interface Problem {
  readonly status: number
  readonly sentence: Sentence
  readonly locale: Locale
  readonly site: SiteName
  /** The theme that the reader has chosen. */
  readonly theme?: string | undefined
  /** Seconds after which the page loads itself again. */
  readonly waitSeconds?: number | undefined
  /** The ID under which the problem is logged. */
  readonly requestId?: string | undefined
  /** Whether the reader is a guest who may see more once signed in. */
  readonly offersSignIn?: boolean
}

/** Returns the page for a problem, and the Content-Security-Policy that allows just what is in it. */
export function problemDocument(problem: Problem): { readonly html: string; readonly policy: string } {
  const { status, sentence, locale, site, theme, waitSeconds = 0, requestId, offersSignIn } = problem
  const say = translatorFor(locale)
  const title = say(titleKey(status))
  const counts = waitSeconds > 0 && waitSeconds <= LONGEST
  const id = requestId === undefined ? '' : `<code>${escapeHtml(say('shell.requestId', { requestId }))}</code>`
  const still = `<noscript><p>${escapeHtml(say('http.tryAgainIn', { wait: { waitMs: 1_000 * waitSeconds } }))}</p></noscript>`
  const wait = `<p id="wait" data-seconds="${waitSeconds}" hidden><b role="timer"></b>${escapeHtml(say('http.reloads'))}</p>${still}`
  // An empty address is the page's own: the link asks for it again, but does not send the form of a page that was posted.
  const again = AGAIN.has(status) ? `<a href="">${escapeHtml(say('http.tryAgain'))}</a>` : ''
  const isWithoutHome = status === 403 || status === 429 || (offersSignIn && !site.gallery)
  const home = isWithoutHome ? '' : `<a href="/">${escapeHtml(say('shell.backToImages'))}</a>`
  const signIn = offersSignIn ? `<a href="/signin">${escapeHtml(say('shell.signIn'))}</a>` : ''
  const style = styleFor(site)
  const html = `<!doctype html>
<html lang="${locale}" dir="${textDirection(locale)}"${theme ? ` data-theme="${theme}"` : ''}>
<meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">
<title>${escapeHtml(title)} · ${escapeHtml(site.name)}</title><style>${style}</style>
<header>${writeLogo(site)}</header>
<main>${CLOSED}<div><h1>${escapeHtml(title)}</h1><p>${escapeHtml(sentence(say, locale, counts))}</p>${id}${counts ? wait : ''}</div><nav>${again}${home}${signIn}</nav></main>
${counts ? `<script>${SCRIPT}</script>\n` : ''}</html>
`
  const images = site.logo ? " img-src 'self';" : ''
  const scripts = counts ? ` script-src ${hash(SCRIPT)};` : ''
  return { html, policy: `default-src 'none'; style-src ${hash(style)};${images}${scripts} ${NONE}` }
}

/** The site's accent colour comes first, as app/layout.tsx has it on the root. */
function styleFor({ accent }: SiteName): string {
  const properties = Object.entries(accentProperties(accent)).map(([name, value]) => `${name}:${value}`)
  return properties.length === 0 ? STYLE : `:root{${properties.join(';')}}${STYLE}`
}

/** As app/ui/mark.tsx writes it: a logo that is much wider than high has the name in it. */
function writeLogo({ name, logo }: SiteName): string {
  const title = `<span dir="auto">${escapeHtml(name)}</span>`
  if (!logo) return MARK + title
  const isWide = logo.width > 2.2 * logo.height
  const image = `<img src="/brand/${logo.hash}/logo.png" width="${logo.width}" height="${logo.height}" alt="${isWide ? escapeHtml(name) : ''}">`
  return isWide ? image : image + title
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
