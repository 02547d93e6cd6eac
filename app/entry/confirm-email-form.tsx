'use client'

import { useTranslations } from 'use-intl/react'
import { FormFailure } from '#app/limits/form-failure.tsx'
import type { LastPost } from './failure-cookie.ts'
import { Submit } from './submit.tsx'
import { useEntryForm } from './use-entry-form.ts'

/** Confirms the address of a link. A button does, and not the link alone: programs that look for harm open links as well. */
export function ConfirmEmailForm({ link, last }: { link: string; last: LastPost | null }) {
  const t = useTranslations('mailLinks')
  const { submit, error, isHeldBack, isBusy } = useEntryForm({ failure: last?.failure ?? null })
  return (
    <form action="/api/auth/form/email" method="post" onSubmit={submit} className="flex flex-col gap-5">
      <input type="hidden" name="link" value={link} />
      <FormFailure error={error} />
      <Submit isBusy={isBusy} isHeldBack={isHeldBack}>
        {t('confirm')}
      </Submit>
    </form>
  )
}
