'use client'

import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl/react'
import { buttonClass } from '#app/ui/button-class.ts'
import { CopyByHand } from '#app/ui/copy-by-hand.tsx'
import { Wordmark } from '#app/ui/mark.tsx'
import { LanguageMenu } from './language-menu.tsx'
import { useSession } from './session.tsx'
import { SiteFooter } from './site-footer.tsx'
import { SkipLink } from './skip-link.tsx'

/** The frame of guests' pages, which call no procedures: plain links and forms, so that they load little script. */
export function GuestFrame({ children }: { children: ReactNode }) {
  const t = useTranslations('shell')
  const { site, guestUpload } = useSession()
  return (
    <>
      <SkipLink />
      <header className="sticky top-0 z-20 border-b border-line bg-ground/92 backdrop-blur-md">
        <div className="flex h-14 items-center gap-6 px-4 sm:px-6">
          <a href="/" aria-label={t('home', { name: site.name })} className="min-w-0 rounded-sm">
            <Wordmark name={site.name} logo={site.logo} />
          </a>
          <div className="ml-auto flex items-center gap-2">
            <LanguageMenu isCompact={guestUpload} />
            {guestUpload && (
              <a href="/upload" className={buttonClass('plain', 'small')}>
                {t('upload')}
              </a>
            )}
            <a href="/signin" className={buttonClass('primary', 'small')}>
              {t('signIn')}
            </a>
          </div>
        </div>
      </header>
      <main id="content" tabIndex={-1} className="pb-16 outline-none">
        {children}
      </main>
      <SiteFooter />
      <CopyByHand />
    </>
  )
}
