'use client'

import { useMutation } from '@tanstack/react-query'
import Link from 'next/link'
import type { FormEvent } from 'react'
import { useTranslations } from 'use-intl/react'
import { FormFailure, useHeldBack } from '#app/limits/form-failure.tsx'
import { leaveTo, signIn } from '#app/shell/sign-in.ts'
import { Button } from '#app/ui/button.tsx'
import { Field, PasswordField } from '#app/ui/field.tsx'
import { useTyped } from './use-typed.ts'

interface Props {
  next: string
  signup: 'closed' | 'invite' | 'open'
  gallery: boolean
}

/** Signs in and goes where one wanted to. What was typed stays, whatever the answer. */
export function SignInForm({ next, signup, gallery }: Props) {
  const tSignIn = useTranslations('signIn')
  const [username, setUsername] = useTyped('sign-in', 'username')
  const [password, setPassword] = useTyped('sign-in', 'password')
  const attempt = useMutation({ mutationFn: () => signIn(username, password, tSignIn), onSuccess: () => leaveTo(next) })
  const isHeldBack = useHeldBack(attempt.error)
  const isLeaving = attempt.isPending || attempt.isSuccess
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isHeldBack && !isLeaving) attempt.mutate()
  }
  return (
    // Sent before the script is there it goes nowhere: the password must not get into the address.
    <form name="sign-in" method="dialog" onSubmit={submit} className="flex flex-col gap-5">
      <Field
        label="User name"
        name="username"
        value={username}
        onChange={setUsername}
        autoComplete="username"
        isVerbatim
        isRequired
        autoFocus
      />
      <PasswordField
        label="Password"
        name="password"
        value={password}
        onChange={setPassword}
        autoComplete="current-password"
        isRequired
      />
      <FormFailure error={attempt.error} />
      <Button type="submit" tone="primary" isPending={isLeaving} isDisabled={isHeldBack}>
        {isLeaving ? 'Signing in …' : 'Sign in'}
      </Button>
      <p className="flex flex-wrap gap-x-5 gap-y-1 text-sm text-ink-soft">
        {signup === 'open' && (
          <Link href="/signup" prefetch={false} className="text-water underline underline-offset-4">
            Make an account
          </Link>
        )}
        {gallery && (
          <Link href="/" prefetch={false} className="text-water underline underline-offset-4">
            Look at the public gallery
          </Link>
        )}
        {signup === 'invite' && 'New accounts are made by invitation.'}
      </p>
    </form>
  )
}
