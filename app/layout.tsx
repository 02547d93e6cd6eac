import type { Metadata, Viewport } from 'next'
import { cookies, headers } from 'next/headers'
import type { ReactNode } from 'react'
import { Frame } from '#app/shell/frame.tsx'
import { Messages } from '#app/shell/messages.tsx'
import { readNonce } from '#app/shell/nonce.ts'
import { NonceMeta } from '#app/shell/nonce-meta.tsx'
import { themeCookie, toTheme } from '#app/shell/theme.ts'
import { earlyClickScript } from '#app/ui/early-click.ts'
import { sessionOfRequest, siteOfRequest } from '#app/viewer.ts'
import { accentProperties } from '#format/accent.ts'
import { textDirection } from '#format/locale.ts'
import { localeOfRequest, translatorOfRequest } from './locale.ts'
import type { PageArea } from './messages.d.ts'
import { messagesOfRequest } from './page-messages.tsx'
import './styles.css'

export async function generateMetadata(): Promise<Metadata> {
  const [translate, site] = await Promise.all([translatorOfRequest(), siteOfRequest()])
  return {
    // A name with the template's own sign in it stays whole.
    title: { default: site.name, template: `%s · ${site.name.replaceAll('%s', '%\u2060s')}` },
    description: site.tagline || translate('shell.description'),
    ...(!site.indexing && { robots: { index: false } }),
    manifest: '/manifest.webmanifest',
    icons: site.icon ? brandIcons(site.icon.hash) : ICONS,
  }
}

const ICONS: Metadata['icons'] = {
  icon: [
    { url: '/favicon.ico', sizes: '16x16 32x32 48x48' },
    { url: '/icon.svg', type: 'image/svg+xml', sizes: 'any' },
  ],
  apple: { url: '/apple-touch-icon.png', sizes: '180x180' },
}

const brandIcons = (hash: string): Metadata['icons'] => ({
  icon: [
    { url: `/brand/${hash}/icon-32.png`, type: 'image/png', sizes: '32x32' },
    { url: `/brand/${hash}/icon-192.png`, type: 'image/png', sizes: '192x192' },
  ],
  apple: { url: `/brand/${hash}/icon-180.png`, sizes: '180x180' },
})

export const viewport: Viewport = {
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#f8fafa' },
    { media: '(prefers-color-scheme: dark)', color: '#0b1114' },
  ],
}

/** The areas of messages that the frame of every page says. */
const areas: readonly PageArea[] = ['budgets', 'failures', 'ruleSets', 'shell', 'signIn', 'ui', 'upload']

/** Every page is rendered per request, because the policy's nonce, the theme, the locale and the account depend on it. */
export default async function RootLayout({ children }: { children: ReactNode }) {
  const [head, jar, viewer, site] = await Promise.all([headers(), cookies(), sessionOfRequest(), siteOfRequest()])
  const [locale, messages] = await Promise.all([localeOfRequest(), messagesOfRequest(areas)])
  const nonce = readNonce(head.get('content-security-policy'))
  // One that has to set up a second factor first sees guests' pages as a guest does.
  const account = viewer &&
    !viewer.needsFactor && {
      userId: viewer.userId,
      username: viewer.username,
      displayName: viewer.displayName,
      picture: viewer.pictureHash && `/p/${viewer.pictureHash}.webp`,
      role: viewer.role,
      shared: viewer.shared,
      locale: viewer.locale,
    }
  const session = {
    account: account || null,
    site: { name: site.name, tagline: site.tagline, footer: site.footer, logo: site.logo },
    gallery: site.gallery,
    guestUpload: site.guestUpload !== 'off',
    hasMail: site.hasMail,
    maxUploadBytes: site.maxUploadBytes,
    defaultVisibility: site.defaultVisibility,
  }
  return (
    <html
      lang={locale}
      dir={textDirection(locale)}
      data-theme={toTheme(jar.get(themeCookie)?.value)}
      style={accentProperties(site.accent)}
    >
      <head>
        <NonceMeta nonce={nonce} />
        <script nonce={nonce} suppressHydrationWarning>
          {earlyClickScript}
        </script>
        <meta name="request-id" content={head.get('x-sluice-request-id') ?? ''} />
      </head>
      <body className="font-sans">
        <Messages locale={locale} messages={messages}>
          <Frame session={session}>{children}</Frame>
        </Messages>
      </body>
    </html>
  )
}
