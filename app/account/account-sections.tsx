'use client'

import dynamic from 'next/dynamic'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl/react'
import { type Account, useAccount, useSession } from '#app/shell/session.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { Activity } from './activity.tsx'
import { ChangePassword } from './change-password.tsx'
import { ClientSettings } from './clients/client-settings.tsx'
import { TOKEN_PLACEHOLDER } from './clients/settings.ts'
import { DeleteAccount } from './data/delete-account.tsx'
import { Export } from './data/export.tsx'
import { OwnEmail } from './email/own-email-part.tsx'
import { SecondFactor } from './factors/second-factor.tsx'
import { Language } from './language.tsx'
import { OwnLimits } from './limits/own-limits.tsx'
import { Passkeys } from './passkeys/passkeys.tsx'
import { PasswordLinks } from './password-links.tsx'
import { PhotoDetails } from './photo-details.tsx'
import { Profile } from './profile/profile.tsx'
import { Sessions } from './sessions.tsx'
import { Storage } from './storage.tsx'
import { ThemeChoice } from './theme-choice.tsx'
import { Tokens } from './tokens/tokens.tsx'
import { Usage } from './usage.tsx'

// Few sites have providers: others load none of it.
const LinkedAccounts = dynamic(() => import('./linked/linked-accounts.tsx').then((module) => module.LinkedAccounts))

interface AccountSection {
  readonly id: string
  readonly title: string
  readonly lead: string
  readonly content: ReactNode
}

/** The parts of the account page, in order. */
export function useSections(origin: string, hasProviders: boolean): readonly AccountSection[] {
  const account = useAccount()
  const t = useTranslations('account')
  const tProfile = useTranslations('profile')
  const tLimits = useTranslations('ownLimits')
  const access = useAccessSections(account, { origin, hasProviders })
  const data = useDataSections(account)
  return [
    { id: 'profile', title: tProfile('title'), lead: tProfile('lead'), content: <Profile /> },
    { id: 'limits', title: tLimits('title'), lead: tLimits('lead'), content: <OwnLimits /> },
    { id: 'storage', title: t('storage'), lead: t('storageLead'), content: <Storage /> },
    { id: 'usage', title: t('usage'), lead: t('usageLead'), content: <Usage /> },
    { id: 'theme', title: t('theme'), lead: t('themeLead'), content: <ThemeChoice /> },
    {
      id: 'language',
      title: t('language'),
      lead: t(account.shared ? 'languageLeadShared' : 'languageLead'),
      content: <Language />,
    },
    ...(account.shared
      ? []
      : [{ id: 'photo-details', title: t('photoDetails'), lead: t('photoDetailsLead'), content: <PhotoDetails /> }]),
    ...access,
    ...data,
  ]
}

interface SiteFacts {
  readonly origin: string
  /** Whether the site has providers to sign in by. */
  readonly hasProviders: boolean
}

function useAccessSections({ shared }: Account, { origin, hasProviders }: SiteFacts): readonly AccountSection[] {
  const t = useTranslations('account')
  const tAudit = useTranslations('audit')
  const tFactors = useTranslations('factors')
  const tEmail = useTranslations('ownEmail')
  const { hasMail } = useSession()
  const tLinked = useTranslations('linked')
  const tPasskeys = useTranslations('passkeys')
  if (shared) {
    const lead = t('notForShared')
    return [
      { id: 'tokens', title: t('tokens'), lead, content: <Notice>{t('tokensShared')}</Notice> },
      { id: 'password', title: t('sessionsAndPassword'), lead, content: <Notice>{t('sessionsShared')}</Notice> },
    ]
  }
  const password = (
    <>
      <PasswordLinks />
      <ChangePassword />
    </>
  )
  return [
    { id: 'tokens', title: t('tokens'), lead: t('tokensLead'), content: <Tokens origin={origin} /> },
    { id: 'clients', title: t('clients'), lead: t('clientsLead'), content: <Clients origin={origin} /> },
    ...(hasMail ? [{ id: 'email', title: tEmail('title'), lead: tEmail('lead'), content: <OwnEmail /> }] : []),
    { id: 'password', title: t('password'), lead: t('passwordLead'), content: password },
    { id: 'passkeys', title: tPasskeys('title'), lead: tPasskeys('lead'), content: <Passkeys /> },
    { id: 'second-factor', title: tFactors('title'), lead: tFactors('lead'), content: <SecondFactor /> },
    ...(hasProviders
      ? [{ id: 'linked', title: tLinked('title'), lead: tLinked('lead'), content: <LinkedAccounts /> }]
      : []),
    { id: 'sessions', title: t('sessions'), lead: t('sessionsLead'), content: <Sessions /> },
    { id: 'activity', title: tAudit('mine.title'), lead: tAudit('mine.lead'), content: <Activity /> },
  ]
}

function useDataSections({ shared }: Account): readonly AccountSection[] {
  const t = useTranslations('ownData')
  if (shared) return []
  return [
    { id: 'export', title: t('exportTitle'), lead: t('exportLead'), content: <Export /> },
    { id: 'delete', title: t('deleteSection'), lead: t('deleteLead'), content: <DeleteAccount /> },
  ]
}

function Clients({ origin }: { origin: string }) {
  const t = useTranslations('account')
  return (
    <>
      <p className="mb-4 text-sm">
        {t.rich('clientsExample', {
          placeholder: TOKEN_PLACEHOLDER,
          code: (text) => <code className="font-mono text-[0.8125rem]">{text}</code>,
        })}
      </p>
      <ClientSettings origin={origin} token={TOKEN_PLACEHOLDER} isExample />
    </>
  )
}
