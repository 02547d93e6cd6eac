'use client'

import { useMutation } from '@tanstack/react-query'
import Link from 'next/link'
import { type FormEvent, useRef, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { useTRPCClient } from '#app/connection/trpc.ts'
import { FormFailure, useHeldBack } from '#app/limits/form-failure.tsx'
import { hasCode } from '#app/limits/message.ts'
import { useErrorMessage } from '#app/limits/use-error-message.ts'
import { leaveTo, submitSignIn } from '#app/shell/sign-in.ts'
import { Button } from '#app/ui/button.tsx'
import { Field, PasswordField } from '#app/ui/field.tsx'
import { passwordProblem, usernameProblem } from './credentials.ts'
import { useTyped } from './use-typed.ts'

type Props = { kind: 'owner' } | { kind: 'open' } | { kind: 'invited'; invite: string }

/** Creates an account and signs in with it: the owner's, an invited one, or one where sign-up is open. */
export function NewAccountForm(props: Props) {
  const client = useTRPCClient()
  const tCredentials = useTranslations('credentials')
  const tSignIn = useTranslations('signIn')
  const errorMessage = useErrorMessage()
  const [code, setCode] = useTyped('new-account', 'code')
  const [username, setUsername] = useTyped('new-account', 'username')
  const [password, setPassword] = useTyped('new-account', 'password')
  const [isChecked, setChecked] = useState(false)
  const nameField = useRef<HTMLDivElement>(null)
  const create = useMutation({
    mutationFn: async () => {
      if (props.kind === 'owner') await client.setup.createOwner.mutate({ code, username, password })
      else
        await client.account.signUp.mutate({
          username,
          password,
          ...(props.kind === 'invited' ? { invite: props.invite } : {}),
        })
      // The account exists. If signing in fails, the start page leads to the sign-in page.
      await submitSignIn(username, password, tSignIn).catch(() => undefined)
    },
    onSuccess: () => leaveTo('/'),
    onError: (error) => {
      if (hasCode(error, 'CONFLICT')) nameField.current?.querySelector('input')?.focus()
    },
  })
  const isHeldBack = useHeldBack(create.error)
  const isBusy = create.isPending || create.isSuccess
  const taken = hasCode(create.error, 'CONFLICT') ? errorMessage(create.error) : null
  const problems = {
    code: props.kind === 'owner' && code.trim() === '' ? 'setupCodeMissing' : null,
    username: usernameProblem(username),
    password: passwordProblem(password),
  } as const
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setChecked(true)
    if (Object.values(problems).every((problem) => problem === null) && !isHeldBack && !isBusy) create.mutate()
  }
  return (
    // method="dialog": submitting before the script has loaded does nothing, so the password never gets into the URL.
    <form name="new-account" method="dialog" onSubmit={submit} className="flex flex-col gap-5">
      {props.kind === 'owner' && (
        <Field
          label={tCredentials('setupCode')}
          name="code"
          hint={tCredentials('setupCodeHint')}
          error={isChecked && problems.code ? tCredentials(`${problems.code}`) : null}
          value={code}
          onChange={setCode}
          autoComplete="off"
          isVerbatim
          isRequired
          autoFocus
        />
      )}
      <Field
        ref={nameField}
        label={tCredentials('username')}
        name="username"
        hint={tCredentials('usernameHint')}
        error={isChecked && problems.username ? tCredentials(`${problems.username}`) : taken}
        value={username}
        onChange={(value) => {
          setUsername(value)
          if (taken) create.reset()
        }}
        autoComplete="username"
        isVerbatim
        isRequired
        autoFocus={props.kind !== 'owner'}
      />
      <PasswordField
        label={tCredentials('password')}
        name="password"
        hint={tCredentials('passwordHint')}
        error={isChecked && problems.password ? tCredentials(`${problems.password}`) : null}
        value={password}
        onChange={setPassword}
        autoComplete="new-password"
        isRequired
      />
      {!taken && <FormFailure error={create.error} />}
      <Button type="submit" tone="primary" isPending={isBusy} isDisabled={isHeldBack}>
        {props.kind === 'owner' ? tCredentials('createOwner') : tCredentials('createAccount')}
      </Button>
      {props.kind !== 'owner' && (
        <p className="text-sm text-ink-soft">
          {tCredentials.rich('signInInstead', {
            link: (text) => (
              <Link href="/signin" prefetch={false} className="text-water underline underline-offset-4">
                {text}
              </Link>
            ),
          })}
        </p>
      )}
    </form>
  )
}
