'use client'

import { LogOut } from 'lucide-react'
import { useTranslations } from 'use-intl/react'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { useAccount } from '#app/shell/session.tsx'
import { signOut } from '#app/shell/sign-in.ts'
import { Avatar } from '#app/ui/avatar.tsx'
import { Button } from '#app/ui/button.tsx'
import { useSections } from './account-sections.tsx'
import { Section } from './section.tsx'
import { SectionLinks } from './section-links.tsx'

export function AccountPage({ origin, hasProviders }: { origin: string; hasProviders: boolean }) {
  const account = useAccount()
  const tShell = useTranslations('shell')
  const tAccount = useTranslations('account')
  const tSignIn = useTranslations('signIn')
  const sections = useSections(origin, hasProviders)
  const leave = () => signOut(tSignIn).catch((error) => reportFailure(tShell('signOutFailed'), error, leave))
  const name = account.displayName ?? account.username
  const facts = [
    ...(account.displayName === null ? [] : [account.username]),
    tAccount(`role.${account.role}`),
    ...(account.shared ? [tAccount('sharedAccount')] : []),
  ]
  return (
    <div className="mx-auto max-w-3xl px-4 sm:px-6 lg:max-w-5xl">
      <div className="flex flex-wrap items-center gap-4 py-7">
        <Avatar name={name} picture={account.picture} className="size-14 text-lg" />
        <div className="mr-auto min-w-0">
          <h1 className="text-2xl font-semibold tracking-[-0.02em] break-words">
            <bdi>{name}</bdi>
          </h1>
          <p className="text-ink-soft">{facts.join(' · ')}</p>
        </div>
        <Button onPress={leave}>
          <LogOut size={17} /> {tShell('signOut')}
        </Button>
      </div>
      <div className="lg:grid lg:grid-cols-[10rem_minmax(0,1fr)] lg:gap-x-8 lg:border-t lg:border-line">
        <SectionLinks label={tAccount('sections')} sections={sections} />
        <div className="min-w-0">
          {sections.map(({ content, ...section }) => (
            <Section key={section.id} {...section}>
              {content}
            </Section>
          ))}
        </div>
      </div>
    </div>
  )
}
