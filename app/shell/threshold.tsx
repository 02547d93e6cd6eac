import type { ReactNode } from 'react'
import { translatorOfRequest } from '#app/locale.ts'
import { Wordmark } from '#app/ui/mark.tsx'
import { siteOfRequest } from '#app/viewer.ts'
import { LanguageMenu } from './language-menu.tsx'
import { SiteLinks } from './site-footer.tsx'
import { Weir } from './weir.tsx'

/** The layout of the sign-in, sign-up and setup pages: a form beside a picture. */
export async function Threshold({ title, lead, children }: { title: string; lead?: string; children: ReactNode }) {
  const [translate, site] = await Promise.all([translatorOfRequest(), siteOfRequest()])
  return (
    <div className="grid min-h-dvh lg:grid-cols-[minmax(26rem,36rem)_1fr]">
      <div className="flex flex-col px-6 py-7 sm:px-14 sm:py-10">
        <header>
          <Wordmark name={site.name} logo={site.logo} />
        </header>
        <main className="mx-auto flex w-full max-w-sm flex-1 flex-col justify-center gap-6 py-10">
          <div className="flex flex-col gap-2">
            <h1 className="text-2xl font-semibold tracking-[-0.02em]">{title}</h1>
            {lead && <p className="text-ink-soft">{lead}</p>}
          </div>
          {children}
        </main>
        <footer className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 text-sm text-ink-soft">
          <span className="flex min-w-0 flex-col gap-2 break-words">
            {site.tagline || translate('signIn.tagline')}
            <SiteLinks />
          </span>
          <LanguageMenu className="-mx-2" />
        </footer>
      </div>
      <Weir />
    </div>
  )
}
