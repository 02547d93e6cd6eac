'use client'

import { useSyncExternalStore } from 'react'
import { cookieLocale, preferredLocale } from '#format/choose-locale.ts'
import { DEFAULT_LOCALE, textDirection } from '#format/locale.ts'
import { fatal } from '#messages/fatal.ts'
import { looseTranslator } from '#messages/loose-translator.ts'
import './styles.css'

/** Shown when even the layout fails, so it depends on nothing but the styles. */
export default function GlobalError({ error }: { error: Error & { digest?: string } }) {
  const locale = useSyncExternalStore(
    () => () => {},
    () => cookieLocale(document.cookie) ?? preferredLocale(navigator.languages) ?? DEFAULT_LOCALE,
    () => DEFAULT_LOCALE,
  )
  const translate = looseTranslator(locale, { fatal: fatal[locale] })
  return (
    <html lang={locale} dir={textDirection(locale)} data-theme="system">
      <body className="font-sans">
        <title>{`${translate('fatal.title')} · Sluice`}</title>
        <main className="flex min-h-dvh flex-col items-center justify-center gap-5 px-6 text-center">
          <h1 className="text-2xl font-semibold tracking-[-0.02em]">{translate('fatal.title')}</h1>
          <p className="max-w-md text-ink-soft">
            {translate('fatal.text')}
            {error.digest && (
              <code className="mt-3 block font-mono text-[0.8125rem]">
                {translate('fatal.ids', { digest: error.digest })}
              </code>
            )}
          </p>
          <a href="/" className="rounded-md bg-ink px-4 py-2 font-medium text-ground">
            {translate('fatal.reload')}
          </a>
        </main>
      </body>
    </html>
  )
}
