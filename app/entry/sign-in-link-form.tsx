'use client'

import { useTranslations } from 'use-intl/react'
import { FormFailure } from '#app/limits/form-failure.tsx'
import type { LastPost } from './failure-cookie.ts'
import { Submit } from './submit.tsx'
import { useEntryForm } from './use-entry-form.ts'

/** Signs in by a one-time link. A press, because programs that preview links open its page. */
export function SignInLinkForm({ link, last }: { link: string; last: LastPost | null }) {
  const t = useTranslations('credentials')
  const { submit, error, isHeldBack, isBusy } = useEntryForm({ failure: last?.failure ?? null })
  return (
    <form action="/api/auth/form/sign-in-link" method="post" onSubmit={submit} className="flex flex-col gap-5">
      <input type="hidden" name="link" value={link} />
      <FormFailure error={error} />
      <Submit isBusy={isBusy} isHeldBack={isHeldBack}>
        {isBusy ? t('signingIn') : t('signIn')}
      </Submit>
    </form>
  )
}
