'use client'

import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl/react'
import { Notice } from '#app/ui/notice.tsx'
import type { SecondStepName } from '#server/identity/second-step/methods.ts'
import { EntryField } from './fields.tsx'

/** What each way to take the second step asks for. The form posts the field `answer`. */
export const secondStepFields: Readonly<Record<SecondStepName, () => ReactNode>> = {
  passkey: Passkey,
  totp: AppCode,
  recovery: RecoveryCode,
}

/** The browser asks by itself, once the form is sent. */
function Passkey() {
  const t = useTranslations('signIn')
  return (
    <>
      <p className="text-ink-soft noscript:hidden">{t('passkeyLead')}</p>
      <noscript>
        <Notice>{t('passkeyNeedsScript')}</Notice>
      </noscript>
    </>
  )
}

function AppCode() {
  const t = useTranslations('signIn')
  return (
    <EntryField
      label={t('appCode')}
      hint={t('appCodeHint')}
      name="answer"
      inputMode="numeric"
      autoComplete="one-time-code"
      placeholder="000 000"
      autoFocus
    />
  )
}

function RecoveryCode() {
  const t = useTranslations('signIn')
  return (
    <EntryField
      label={t('recoveryCode')}
      hint={t('recoveryCodeHint')}
      name="answer"
      autoComplete="off"
      placeholder="0000-0000-0000-0000"
      autoFocus
    />
  )
}
