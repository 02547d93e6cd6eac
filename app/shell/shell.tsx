'use client'

import { usePathname } from 'next/navigation'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl/react'
import { DropAnywhere } from '#app/upload/drop-anywhere.tsx'
import { UploadTray } from '#app/upload/upload-tray.tsx'
import { UploadsProvider } from '#app/upload/uploads.tsx'
import { BudgetNotice } from './budget-notice.tsx'
import { Header } from './header.tsx'
import { Help } from './help.tsx'
import { useKeptLocale } from './locale-choice.ts'
import { OfflineNotice } from './offline-notice.tsx'
import { useOneAccount } from './one-account.ts'
import { useSession } from './session.tsx'
import { TabBar } from './tab-bar.tsx'

const bare = ['signin', 'signup', 'setup', 'password']

/** The frame of a page: none on sign-in pages, otherwise the header and, for an account, its uploads. */
export function Shell({ children }: { children: ReactNode }) {
  const t = useTranslations('shell')
  const { account } = useSession()
  useOneAccount(account?.userId ?? null)
  useKeptLocale(account?.locale ?? null)
  const isBare = bare.includes(usePathname().split('/')[1] ?? '')
  if (isBare) return children
  const page = (
    <>
      <a
        href="#content"
        className="fixed top-2 left-2 z-50 -translate-y-16 rounded-md bg-ink px-4 py-2 font-medium text-ground focus:translate-y-0"
      >
        {t('skip')}
      </a>
      <Header />
      <noscript>
        <p className="border-b border-line bg-gate-soft px-4 py-2 text-center text-sm">{t('noScript')}</p>
      </noscript>
      <OfflineNotice />
      {account?.role === 'superadmin' && <BudgetNotice />}
      <main id="content" tabIndex={-1} className={`outline-none ${account ? 'pb-24 sm:pb-16' : 'pb-16'}`}>
        {children}
      </main>
    </>
  )
  if (!account) return page
  return (
    <UploadsProvider>
      {page}
      <UploadTray />
      <TabBar />
      <DropAnywhere />
      <Help />
    </UploadsProvider>
  )
}
