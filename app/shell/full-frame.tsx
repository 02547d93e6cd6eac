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
import { AccountPartsContext } from './account-pages.tsx'
import { accountParts } from './account-parts.ts'
import { Header } from './header.tsx'
import { Help } from './help.tsx'
import { useKeptLocale } from './locale-choice.ts'
import { OfflineNotice } from './offline-notice.tsx'
import { useOneAccount } from './one-account.ts'
import { ProofDialogs } from './proof-dialogs.tsx'
import { useAccount } from './session.tsx'
import { SiteFooter } from './site-footer.tsx'
import { SkipLink } from './skip-link.tsx'
import { TabBar } from './tab-bar.tsx'
import { UntilOutdated } from './until-outdated.tsx'

const BudgetNotice = dynamic(() => import('./budget-notice.tsx').then((module) => module.BudgetNotice))

/** The frame of signed-in users: the header, their uploads, and the connection that pages call procedures by. */
export function FullFrame({ children }: { children: ReactNode }) {
  const t = useTranslations('shell')
  const { userId, username, role, locale } = useAccount()
  useOneAccount(userId)
  useKeptLocale(locale)
  return (
    <Connection>
      <UploadsProvider>
        <UntilOutdated>
          <SkipLink />
          <Header />
          <noscript>
            <p className="border-b border-line bg-gate-soft px-4 py-2 text-center text-sm">{t('noScript')}</p>
          </noscript>
          <OfflineNotice />
          {role === 'superadmin' && <BudgetNotice />}
          <main id="content" tabIndex={-1} className="pb-24 outline-none sm:pb-16">
            <AccountPartsContext value={accountParts}>{children}</AccountPartsContext>
          </main>
          <SiteFooter className="max-sm:pb-24" />
          <Tray />
          <TabBar />
          <DropAnywhere />
          <Help />
        </UntilOutdated>
      </UploadsProvider>
      <Toasts />
      <CopyByHand />
      <ProofDialogs username={username} />
    </Connection>
  )
}
