'use client'

import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { passwordProblem } from '#app/account/credentials.ts'
import { FormFailure } from '#app/limits/form-failure.tsx'
import type { LastPost } from './failure-cookie.ts'
import { EntryPassword } from './fields.tsx'
import { Submit } from './submit.tsx'
import { useEntryForm } from './use-entry-form.ts'

interface Props {
  readonly link: string
  readonly username: string
  /** The display name; null for an admin without one. */
  readonly createdBy: string | null
  /** Whether it was sent to the account's address. */
  readonly isMailed: boolean
  readonly last: LastPost | null
}

const findProblem = (fields: FormData) =>
  passwordProblem(String(fields.get('password')), String(fields.get('repeated')))

/** Sets the password of a link's account, and signs in with it. */
export function SetPasswordForm({ link, username, createdBy, isMailed, last }: Props) {
  const t = useTranslations('credentials')
  const tSignIn = useTranslations('signIn')
  const [isChecked, setChecked] = useState(false)
  const [problem, setProblem] = useState<ReturnType<typeof findProblem>>(null)
  const { submit, error, isHeldBack, isBusy } = useEntryForm({
    failure: last?.failure ?? null,
    check: (fields) => {
      const found = findProblem(fields)
      setChecked(true)
      setProblem(found)
      return found === null
    },
  })
  const recheck = ({ currentTarget }: { currentTarget: HTMLFormElement }) =>
    isChecked && setProblem(findProblem(new FormData(currentTarget)))
  const isShort = problem === 'passwordShort'
  return (
    <form
      action="/api/auth/form/password"
      method="post"
      onSubmit={submit}
      onInput={recheck}
      className="flex flex-col gap-5"
    >
      <input type="hidden" name="link" value={link} />
      {/* Password managers save the password under this name. */}
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <EntryPassword
        label={t('password')}
        name="password"
        hint={t('passwordHint')}
        error={problem && isShort ? t(problem) : null}
        autoComplete="new-password"
        autoFocus
      />
      <EntryPassword
        label={t('repeatPassword')}
        name="repeated"
        error={problem && !isShort ? t(problem) : null}
        autoComplete="new-password"
      />
      <FormFailure error={error} />
      <Submit isBusy={isBusy} isHeldBack={isHeldBack}>
        {t('setPassword')}
      </Submit>
      {!isMailed && (
        <p className="text-sm text-ink-soft">
          {createdBy === null ? tSignIn('linkByAdmin') : tSignIn('linkBy', { name: createdBy })}
        </p>
      )}
    </form>
  )
}
