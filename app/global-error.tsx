'use client'

import { useSyncExternalStore } from 'react'
import { Blank } from '#app/shell/blank.tsx'
import { buttonClass } from '#app/ui/button-class.ts'
import { cookieLocale, preferredLocale } from '#format/choose-locale.ts'
import { DEFAULT_LOCALE, textDirection } from '#format/locale.ts'
import { fatal } from '#messages/fatal.ts'
import { looseTranslator } from '#messages/loose-translator.ts'
import './styles.css'

/** Shown when even the layout fails, so it depends on nothing but the styles. Looks as server/http/problem-document.ts does. */
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
        <main>
          <Blank
            title={translate('fatal.title')}
            text={
              <>
                {translate('fatal.text')}
                {error.digest && (
                  <code className="mt-3 block font-mono text-[0.8125rem]">
                    {translate('fatal.ids', { digest: error.digest })}
                  </code>
                )}
              </>
            }
          >
            <a href="/" className={buttonClass('primary')}>
              {translate('fatal.reload')}
            </a>
          </Blank>
        </main>
      </body>
    </html>
  )
}
