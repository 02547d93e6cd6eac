'use client'

import { useTranslations } from 'use-intl/react'
import { FormFailure } from '#app/limits/form-failure.tsx'
import { useSession } from '#app/shell/session.tsx'
import type { LastPost } from './failure-cookie.ts'
import { EntryField, EntryPassword } from './fields.tsx'
import { Submit } from './submit.tsx'
import { useEntryForm } from './use-entry-form.ts'

interface Props {
  next: string
  signup: 'closed' | 'invite' | 'open'
  gallery: boolean
  hasMail: boolean
  last: LastPost | null
}

const link = 'text-water underline underline-offset-4'

/** Signs in and opens `next`. Keeps what was typed if it fails. */
export function SignInForm({ next, signup, gallery, hasMail, last }: Props) {
  const t = useTranslations('credentials')
  const { guestUpload } = useSession()
  const { submit, error, isHeldBack, isBusy } = useEntryForm({ failure: last?.failure ?? null })
  return (
    <form action="/api/auth/form/sign-in" method="post" onSubmit={submit} className="flex flex-col gap-5">
      <input type="hidden" name="next" value={next} />
      <EntryField
        label={t('username')}
        name="username"
        defaultValue={last?.username}
        autoComplete="username webauthn"
        autoFocus={!last}
      />
      <EntryPassword label={t('password')} name="password" autoComplete="current-password" autoFocus={last !== null} />
      <FormFailure error={error} />
      <Submit isBusy={isBusy} isHeldBack={isHeldBack}>
        {isBusy ? t('signingIn') : t('signIn')}
      </Submit>
      <p className="flex flex-wrap gap-x-5 gap-y-1 text-sm text-ink-soft">
        {hasMail && (
          <a href="/signin/forgot" className={link}>
            {t('forgotPassword')}
          </a>
        )}
        {signup === 'open' && (
          <a href="/signup" className={link}>
            {t('createAccount')}
          </a>
        )}
        {gallery && (
          <a href="/" className={link}>
            {t('publicGallery')}
          </a>
        )}
        {guestUpload && (
          <a href="/upload" className={link}>
            {t('uploadAsGuest')}
          </a>
        )}
        {signup === 'invite' && t('inviteOnly')}
      </p>
    </form>
  )
}
