'use client'

import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl/react'
import { useTRPC } from '#app/connection/trpc.ts'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { keepsLocale, useBrowserLocale } from '#app/shell/locale-choice.ts'
import { useAccount } from '#app/shell/session.tsx'
import { Select } from '#app/ui/select.tsx'
import { type Locale, languageName, locales, toLocale } from '#format/locale.ts'

const names = locales.map((locale) => ({ value: locale, label: languageName(locale), lang: locale }))

/** The language of the site: of the account on every device, or of this browser for users of a shared account. */
export function Language() {
  const account = useAccount()
  return keepsLocale(account) ? <OwnLanguage chosen={account.locale} /> : <BrowserLanguage />
}

function OwnLanguage({ chosen }: { chosen: Locale | null }) {
  const t = useTranslations('account')
  const { choose } = useBrowserLocale()
  const change = useMutation(
    useTRPC().account.setLocale.mutationOptions({
      onSuccess: ({ locale }) => choose(locale),
      onError: (error, { locale }) => reportFailure(t('languageFailed'), error, () => change.mutate({ locale })),
    }),
  )
  const shown = change.isPending || change.isSuccess ? change.variables.locale : chosen
  return (
    <div className="max-w-xs">
      <Select
        label={t('language')}
        isLabelHidden
        value={shown ?? 'auto'}
        options={[{ value: 'auto', label: t('languageAuto') }, ...names]}
        onChange={(value) => change.mutate({ locale: toLocale(value) })}
      />
    </div>
  )
}

function BrowserLanguage() {
  const t = useTranslations('account')
  const { shown, choose } = useBrowserLocale()
  return (
    <div className="max-w-xs">
      <Select label={t('language')} isLabelHidden value={shown} options={names} onChange={choose} />
    </div>
  )
}
