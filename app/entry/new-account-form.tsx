'use client'

import { useRef, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { passwordProblem, usernameProblem } from '#app/account/credentials.ts'
import { FormFailure } from '#app/limits/form-failure.tsx'
import { hasCode } from '#app/limits/message.ts'
import { useErrorMessage } from '#app/limits/use-error-message.ts'
import type { LastPost } from './failure-cookie.ts'
import { EntryField, EntryPassword } from './fields.tsx'
import { Submit } from './submit.tsx'
import { useEntryForm } from './use-entry-form.ts'

type Props = { last: LastPost | null } & ({ kind: 'owner' } | { kind: 'open' } | { kind: 'invited'; invite: string })

/** What is wrong with the fields, by their names. */
const findProblems = (fields: FormData) => ({
  code: fields.get('code')?.toString().trim() === '' ? ('setupCodeMissing' as const) : null,
  username: usernameProblem(String(fields.get('username'))),
  password: passwordProblem(String(fields.get('password'))),
})

/** Creates an account and signs in with it: the owner's, an invited one, or one where sign-up is open. */
export function NewAccountForm({ last, ...props }: Props) {
  const t = useTranslations('credentials')
  const errorMessage = useErrorMessage()
  const [problems, setProblems] = useState<ReturnType<typeof findProblems> | null>(null)
  const nameField = useRef<HTMLInputElement>(null)
  const { submit, error, reset, isHeldBack, isBusy } = useEntryForm({
    failure: last?.failure ?? null,
    check: (fields) => {
      const found = findProblems(fields)
      setProblems(found)
      return Object.values(found).every((problem) => problem === null)
    },
    onFail: (failed) => {
      if (hasCode(failed, 'CONFLICT')) nameField.current?.focus()
    },
  })
  const taken = hasCode(error, 'CONFLICT') ? errorMessage(error) : null
  const isOwner = props.kind === 'owner'
  const recheck = ({ currentTarget }: { currentTarget: HTMLFormElement }) =>
    problems && setProblems(findProblems(new FormData(currentTarget)))
  return (
    <form
      action={`/api/auth/form/${isOwner ? 'set-up' : 'sign-up'}`}
      method="post"
      onSubmit={submit}
      onInput={recheck}
      className="flex flex-col gap-5"
    >
      {props.kind === 'invited' && <input type="hidden" name="invite" value={props.invite} />}
      {isOwner && (
        <EntryField
          label={t('setupCode')}
          name="code"
          hint={t('setupCodeHint')}
          error={problems?.code ? t(problems.code) : null}
          autoComplete="off"
          autoFocus
        />
      )}
      <EntryField
        ref={nameField}
        label={t('username')}
        name="username"
        hint={t('usernameHint')}
        error={problems?.username ? t(problems.username) : taken}
        defaultValue={last?.username}
        onInput={() => taken && reset()}
        autoComplete="username"
        autoFocus={!isOwner}
      />
      <EntryPassword
        label={t('password')}
        name="password"
        hint={t('passwordHint')}
        error={problems?.password ? t(problems.password) : null}
        autoComplete="new-password"
      />
      {!taken && <FormFailure error={error} />}
      <Submit isBusy={isBusy} isHeldBack={isHeldBack}>
        {isOwner ? t('createOwner') : t('createAccount')}
      </Submit>
      {!isOwner && (
        <p className="text-sm text-ink-soft">
          {t.rich('signInInstead', {
            link: (text) => (
              <a href="/signin" className="text-water underline underline-offset-4">
                {text}
              </a>
            ),
          })}
        </p>
      )}
    </form>
  )
}
