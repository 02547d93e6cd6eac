'use client'

import dynamic from 'next/dynamic'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl/react'
import { Connection } from '#app/connection/provider.tsx'
import { CopyByHand } from '#app/ui/copy-by-hand.tsx'
import { Toasts } from '#app/ui/toast.tsx'
import { DropAnywhere } from '#app/upload/drop-anywhere.tsx'
import { Tray } from '#app/upload/tray.tsx'
import { UploadsProvider } from '#app/upload/uploads.tsx'
import { Header } from './header.tsx'
import { Help } from './help.tsx'
import { useKeptLocale } from './locale-choice.ts'
import { OfflineNotice } from './offline-notice.tsx'
import { useOneAccount } from './one-account.ts'
import { useSession } from './session.tsx'
import { SiteFooter } from './site-footer.tsx'
import { SkipLink } from './skip-link.tsx'
import { TabBar } from './tab-bar.tsx'

const BudgetNotice = dynamic(() => import('./budget-notice.tsx').then((module) => module.BudgetNotice))

/** The frame of pages that call procedures: the header and, for an account, its uploads. */
export function FullFrame({ children }: { children: ReactNode }) {
  const t = useTranslations('shell')
  const { account } = useSession()
  useOneAccount(account?.userId ?? null)
  useKeptLocale(account?.locale ?? null)
  const page = (
    <>
      <SkipLink />
      <Header />
      <noscript>
        <p className="border-b border-line bg-gate-soft px-4 py-2 text-center text-sm">{t('noScript')}</p>
      </noscript>
      <OfflineNotice />
      {account?.role === 'superadmin' && <BudgetNotice />}
      <main id="content" tabIndex={-1} className={`outline-none ${account ? 'pb-24 sm:pb-16' : 'pb-16'}`}>
        {children}
      </main>
      <SiteFooter className={account ? 'max-sm:pb-24' : ''} />
    </>
  )
  return (
    <Connection>
      {account ? (
        <UploadsProvider>
          {page}
          <Tray />
          <TabBar />
          <DropAnywhere />
          <Help />
        </UploadsProvider>
      ) : (
        page
      )}
      <Toasts />
      <CopyByHand />
    </Connection>
  )
}
