'use client'

import { LogOut } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl/react'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { useAccount } from '#app/shell/session.tsx'
import { signOut } from '#app/shell/sign-in.ts'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { Activity } from './activity.tsx'
import { ChangePassword } from './change-password.tsx'
import { ClientSettings } from './clients/client-settings.tsx'
import { TOKEN_PLACEHOLDER } from './clients/settings.ts'
import { Language } from './language.tsx'
import { PasswordLinks } from './password-links.tsx'
import { Sessions } from './sessions.tsx'
import { Storage } from './storage.tsx'
import { ThemeChoice } from './theme-choice.tsx'
import { Tokens } from './tokens/tokens.tsx'
import { Usage } from './usage.tsx'

export function AccountPage({ origin }: { origin: string }) {
  const account = useAccount()
  const tShell = useTranslations('shell')
  const tAccount = useTranslations('account')
  const tAudit = useTranslations('audit')
  const tSignIn = useTranslations('signIn')
  const leave = () => signOut(tSignIn).catch((error) => reportFailure(tShell('signOutFailed'), error, leave))
  return (
    <div className="mx-auto flex max-w-3xl flex-col px-4 sm:px-6">
      <div className="flex flex-wrap items-center justify-between gap-4 py-7">
        <div className="min-w-0">
          <h1 className="text-2xl font-semibold tracking-[-0.02em] break-words">{account.username}</h1>
          <p className="text-ink-soft">
            {tAccount(`role.${account.role}`)}
            {account.shared && ` · ${tAccount('sharedAccount')}`}
          </p>
        </div>
        <Button onPress={leave}>
          <LogOut size={17} /> {tShell('signOut')}
        </Button>
      </div>
      <Part title={tAccount('storage')} lead={tAccount('storageLead')}>
        <Storage />
      </Part>
      <Part title={tAccount('usage')} lead={tAccount('usageLead')}>
        <Usage />
      </Part>
      <Part title={tAccount('theme')} lead={tAccount('themeLead')}>
        <ThemeChoice />
      </Part>
      <Part title={tAccount('language')} lead={tAccount(account.shared ? 'languageLeadShared' : 'languageLead')}>
        <Language />
      </Part>
      {account.shared ? (
        <>
          <Part title={tAccount('tokens')} lead={tAccount('notForShared')}>
            <Notice>{tAccount('tokensShared')}</Notice>
          </Part>
          <Part title={tAccount('sessionsAndPassword')} lead={tAccount('notForShared')}>
            <Notice>{tAccount('sessionsShared')}</Notice>
          </Part>
        </>
      ) : (
        <>
          <Part title={tAccount('tokens')} lead={tAccount('tokensLead')}>
            <Tokens origin={origin} />
          </Part>
          <Part title={tAccount('clients')} lead={tAccount('clientsLead')}>
            <p className="mb-4 text-sm">
              {tAccount.rich('clientsExample', {
                placeholder: TOKEN_PLACEHOLDER,
                code: (text) => <code className="font-mono text-[0.8125rem]">{text}</code>,
              })}
            </p>
            <ClientSettings origin={origin} token={TOKEN_PLACEHOLDER} isExample />
          </Part>
          <Part title={tAccount('password')} lead={tAccount('passwordLead')}>
            <PasswordLinks />
            <ChangePassword />
          </Part>
          <Part title={tAccount('sessions')} lead={tAccount('sessionsLead')}>
            <Sessions />
          </Part>
          <Part title={tAudit('mine.title')} lead={tAudit('mine.lead')}>
            <Activity />
          </Part>
        </>
      )}
    </div>
  )
}

function Part({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  return (
    <section className="grid gap-x-8 gap-y-4 border-t border-line py-7 md:grid-cols-[12rem_minmax(0,1fr)]">
      <div>
        <h2 className="font-semibold">{title}</h2>
        <p className="text-sm text-ink-soft">{lead}</p>
      </div>
      <div>{children}</div>
    </section>
  )
}
