'use client'

import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import type { LastPost } from '#app/entry/failure-cookie.ts'
import { EntryPassword } from '#app/entry/fields.tsx'
import { Submit } from '#app/entry/submit.tsx'
import { useEntryForm } from '#app/entry/use-entry-form.ts'
import { FormFailure } from '#app/limits/form-failure.tsx'
import { useFormat } from '#app/ui/use-format.ts'

interface Props {
  readonly token: string
  readonly hasPassword: boolean
  /** Null for any number. */
  readonly viewsLeft: number | null
  readonly last: LastPost | null
}

/** Asks for a share's password, and whether to use up a view. The form works without script. */
export function OpenForm({ token, hasPassword, viewsLeft, last }: Props) {
  const t = useTranslations('shared')
  const format = useFormat()
  const [isMissing, setMissing] = useState(false)
  const { submit, error, isHeldBack, isBusy } = useEntryForm({
    failure: last?.failure ?? null,
    check: (fields) => {
      const isEmpty = hasPassword && fields.get('password') === ''
      setMissing(isEmpty)
      return !isEmpty
    },
  })
  return (
    <form
      action="/api/auth/form/share"
      method="post"
      onSubmit={submit}
      className="mx-auto flex min-h-[60vh] max-w-sm flex-col justify-center gap-5 px-6 py-10"
    >
      <input type="hidden" name="link" value={token} />
      <div className="flex flex-col gap-2">
        <h1 className="text-2xl font-semibold tracking-[-0.02em]">{t('closed')}</h1>
        {hasPassword && <p className="text-ink-soft">{t('passwordText')}</p>}
        {viewsLeft !== null && (
          <p className="text-ink-soft">{format.sentences([t('viewsText', { count: viewsLeft }), t('visitText')])}</p>
        )}
      </div>
      {hasPassword && (
        <EntryPassword
          label={t('password')}
          name="password"
          error={isMissing ? t('passwordMissing') : null}
          autoComplete="off"
          autoFocus
        />
      )}
      <FormFailure error={error} />
      <Submit isBusy={isBusy} isHeldBack={isHeldBack}>
        {t('open')}
      </Submit>
    </form>
  )
}
