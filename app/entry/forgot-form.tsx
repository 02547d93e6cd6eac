'use client'

import { useTranslations } from 'use-intl/react'
import { FormFailure } from '#app/limits/form-failure.tsx'
import type { LastPost } from './failure-cookie.ts'
import { EntryField } from './fields.tsx'
import { Submit } from './submit.tsx'
import { useEntryForm } from './use-entry-form.ts'

/** Asks for a link that sets a new password. */
export function ForgotForm({ last }: { last: LastPost | null }) {
  const t = useTranslations('mailLinks')
  const { submit, error, isHeldBack, isBusy } = useEntryForm({ failure: last?.failure ?? null })
  return (
    <form action="/api/auth/form/forgot" method="post" onSubmit={submit} className="flex flex-col gap-5">
      <EntryField
        label={t('login')}
        name="username"
        defaultValue={last?.username}
        autoComplete="username"
        required
        autoFocus
      />
      <FormFailure error={error} />
      <Submit isBusy={isBusy} isHeldBack={isHeldBack}>
        {t('send')}
      </Submit>
      <p className="text-sm">
        <a href="/signin" className="text-water underline underline-offset-4">
          {t('signIn')}
        </a>
      </p>
    </form>
  )
}
