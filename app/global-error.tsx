'use client'

import { DEFAULT_LOCALE } from '#format/locale.ts'
import { shell } from '#messages/en/shell.ts'
import { looseTranslator } from '#messages/loose-translator.ts'
import './styles.css'

const translate = looseTranslator(DEFAULT_LOCALE, { shell })

/** Shown when even the layout fails, so it depends on nothing but the styles. */
export default function GlobalError({ error }: { error: Error & { digest?: string } }) {
  return (
    <html lang={DEFAULT_LOCALE} data-theme="system">
      <body className="font-sans">
        <title>{`${translate('shell.errorTitle')} · Sluice`}</title>
        <main className="flex min-h-dvh flex-col items-center justify-center gap-5 px-6 text-center">
          <h1 className="text-2xl font-semibold tracking-[-0.02em]">{translate('shell.errorTitle')}</h1>
          <p className="max-w-md text-ink-soft">
            {translate('shell.globalErrorText')}
            {error.digest && (
              <code className="mt-3 block font-mono text-[0.8125rem]">
                {translate('shell.errorIds', { digest: error.digest })}
              </code>
            )}
          </p>
          <a href="/" className="rounded-md bg-ink px-4 py-2 font-medium text-ground">
            {translate('shell.tryAgain')}
          </a>
        </main>
      </body>
    </html>
  )
}
