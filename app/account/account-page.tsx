'use client'

import { LogOut } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl/react'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { type Account, useAccount } from '#app/shell/session.tsx'
import { signOut } from '#app/shell/sign-in.ts'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { ChangePassword } from './change-password.tsx'
import { ClientSettings } from './clients/client-settings.tsx'
import { PLACEHOLDER } from './clients/settings.ts'
import { Sessions } from './sessions.tsx'
import { Storage } from './storage.tsx'
import { ThemeChoice } from './theme-choice.tsx'
import { Tokens } from './tokens/tokens.tsx'
import { Usage } from './usage.tsx'

const roles = {
  user: 'User',
  admin: 'Admin',
  superadmin: 'Superadmin, not bound by limits',
} satisfies Record<Account['role'], string>

export function AccountPage({ origin }: { origin: string }) {
  const account = useAccount()
  const t = useTranslations('shell')
  const tSignIn = useTranslations('signIn')
  const leave = () => signOut(tSignIn).catch((error) => reportFailure(t('signOutFailed'), error, leave))
  return (
    <div className="mx-auto flex max-w-3xl flex-col px-4 sm:px-6">
      <div className="flex flex-wrap items-center justify-between gap-4 py-7">
        <div className="min-w-0">
          <h1 className="text-2xl font-semibold tracking-[-0.02em] break-words">{account.username}</h1>
          <p className="text-ink-soft">
            {roles[account.role]}
            {account.shared && ' · shared account'}
          </p>
        </div>
        <Button onPress={leave}>
          <LogOut size={17} /> Sign out
        </Button>
      </div>
      <Part title="Storage" lead="What your images take.">
        <Storage />
      </Part>
      <Part title="Usage" lead="What was read and sent in your name this month.">
        <Usage />
      </Part>
      <Part title="Theme" lead="Kept on this device.">
        <ThemeChoice />
      </Part>
      {account.shared ? (
        <>
          <Part title="API tokens" lead="Not for shared accounts.">
            <Notice>A token would outlast whoever made it. Upload from programs by an account of your own.</Notice>
          </Part>
          <Part title="Password and sessions" lead="Not for shared accounts.">
            <Notice>
              Several people use this account, so none of them can change its password or end the sessions of the
              others. A superadmin of this site can.
            </Notice>
          </Part>
        </>
      ) : (
        <>
          <Part title="API tokens" lead="For programs that upload, read or manage your images in your name.">
            <Tokens origin={origin} />
          </Part>
          <Part title="Upload from programs" lead="What to put into their settings.">
            <p className="mb-4 text-sm">
              Create a token first: what is shown with it has the token in it already. Here{' '}
              <code className="font-mono text-[0.8125rem]">{PLACEHOLDER}</code> stands for it.
            </p>
            <ClientSettings origin={origin} token={PLACEHOLDER} isExample />
          </Part>
          <Part title="Password" lead="A change signs out every other device.">
            <ChangePassword />
          </Part>
          <Part title="Sessions" lead="Where you are signed in.">
            <Sessions />
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
