'use client'

import { useMutation } from '@tanstack/react-query'
import Link from 'next/link'
import { type FormEvent, useRef, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { useTRPCClient } from '#app/connection/trpc.ts'
import { FormFailure, useHeldBack } from '#app/limits/form-failure.tsx'
import { hasCode } from '#app/limits/message.ts'
import { useErrorMessage } from '#app/limits/use-error-message.ts'
import { leaveTo, signIn } from '#app/shell/sign-in.ts'
import { Button } from '#app/ui/button.tsx'
import { Field, PasswordField } from '#app/ui/field.tsx'
import { passwordProblem, usernameProblem } from './credentials.ts'
import { useTyped } from './use-typed.ts'

type Props = { kind: 'owner' } | { kind: 'open' } | { kind: 'invited'; invite: string }

/** Makes the account one then is signed in with: the owner's, an invited one, or one for the asking. */
export function NewAccountForm(props: Props) {
  const client = useTRPCClient()
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
      // The account stands: if signing in should fail, the sign-in page is the place to go on.
      await signIn(username, password, tSignIn).catch(() => undefined)
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
    code: props.kind === 'owner' && code.trim() === '' ? 'Look for it in the log of the server.' : null,
    username: usernameProblem(username),
    password: passwordProblem(password),
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setChecked(true)
    if (Object.values(problems).every((problem) => problem === null) && !isHeldBack && !isBusy) create.mutate()
  }
  return (
    // Sent before the script is there it goes nowhere: the password must not get into the address.
    <form name="new-account" method="dialog" onSubmit={submit} className="flex flex-col gap-5">
      {props.kind === 'owner' && (
        <Field
          label="Set-up code"
          name="code"
          hint="The server wrote it into its log when it started."
          error={isChecked ? problems.code : null}
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
        label="User name"
        name="username"
        hint="3 to 32 letters, digits, dots, dashes or underscores."
        error={(isChecked ? problems.username : null) ?? taken}
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
        label="Password"
        name="password"
        hint="At least 10 characters. A few unrelated words are easy to remember and hard to guess."
        error={isChecked ? problems.password : null}
        value={password}
        onChange={setPassword}
        autoComplete="new-password"
        isRequired
      />
      {!taken && <FormFailure error={create.error} />}
      <Button type="submit" tone="primary" isPending={isBusy} isDisabled={isHeldBack}>
        {props.kind === 'owner' ? 'Make the owner’s account' : 'Make the account'}
      </Button>
      {props.kind !== 'owner' && (
        <p className="text-sm text-ink-soft">
          Have an account?{' '}
          <Link href="/signin" prefetch={false} className="text-water underline underline-offset-4">
            Sign in instead
          </Link>
        </p>
      )}
    </form>
  )
}
