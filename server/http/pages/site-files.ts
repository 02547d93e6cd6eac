import { createHash } from 'node:crypto'
import { accentShades } from '#format/accent.ts'
import { OEMBED_PATH } from '#server/previews/preview.ts'
import type { Services } from '#server/services.ts'
import type { SiteValues } from '#server/site/settings.ts'
import type { EncodedAsset } from './assets.ts'
import { createBrandFiles } from './brand-files.ts'

/** The background of light pages in app/styles.css. */
const GROUND = '#f8fafa'

/** Sluice's own icons, in public/. */
const OWN_ICONS = { small: '/icon-192.png', large: '/icon-512.png', maskable: '/icon-maskable.png' }

/** Returns a reader of the files that depend on the settings, by path: the manifest, robots.txt, the logo and the icon; null for
 *  any other path. */
export function createSiteFiles(app: Pick<Services, 'db' | 'site'>): (path: string) => Promise<EncodedAsset | null> {
  const readBrandFile = createBrandFiles(app)
  return async (path) => {
    const write = Object.hasOwn(written, path) ? written[path] : undefined
    return write ? write(app.site.read()) : readBrandFile(path)
  }
}

/** They may change at any time, so caches ask each time. */
const written: Readonly<Record<string, (site: SiteValues) => EncodedAsset>> = {
  '/manifest.webmanifest': (site) => toAsset('application/manifest+json', JSON.stringify(manifest(site))),
  '/robots.txt': ({ indexing }) => toAsset('text/plain; charset=utf-8', indexing ? OPEN : CLOSED),
}

/** The pages that only links lead to are not listed here: a list would be a way to them. They say noindex themselves. */
const OPEN = `User-agent: *\nAllow: ${OEMBED_PATH}\nDisallow: /api/\n`

/** They load a page because somebody has posted its link, to show a preview, and list nothing. */
const PREVIEWERS = ['Twitterbot', 'facebookexternalhit', 'LinkedInBot', 'Slackbot-LinkExpanding', 'Discordbot']
const CLOSED = `User-agent: *
Disallow: /

${PREVIEWERS.map((name) => `User-agent: ${name}\n`).join('')}Allow: ${OEMBED_PATH}
Disallow: /api/
`

/** Describes the site as an app that can be installed (W3C Web App Manifest). */
function manifest({ name, tagline, accent, icon }: SiteValues) {
  const own = icon && {
    small: `/brand/${icon.hash}/icon-192.png`,
    large: `/brand/${icon.hash}/icon-512.png`,
    maskable: `/brand/${icon.hash}/icon-maskable.png`,
  }
  const { small, large, maskable } = own ?? OWN_ICONS
  return {
    id: '/',
    name,
    short_name: name,
    ...(tagline && { description: tagline }),
    start_url: '/',
    scope: '/',
    display: 'standalone',
    background_color: GROUND,
    theme_color: accent === null ? GROUND : accentShades(accent).accent.light,
    icons: [
      { src: small, sizes: '192x192', type: 'image/png', purpose: 'any' },
      { src: large, sizes: '512x512', type: 'image/png', purpose: 'any' },
      { src: maskable, sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    ],
  }
}

function toAsset(type: string, text: string): EncodedAsset {
  const body = Buffer.from(text)
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  const headers = {
    'Content-Type': type,
    'Cache-Control': 'no-cache',
    'Content-Length': String(body.length),
    ETag: etag,
  }
  // The date is not sent: a client that knows no entity tag gets the whole.
  return { body, headers, validators: { etag, lastModified: new Date() } }
}
