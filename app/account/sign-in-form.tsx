'use client'

import { useMutation } from '@tanstack/react-query'
import Link from 'next/link'
import type { FormEvent } from 'react'
import { useTranslations } from 'use-intl/react'
import { FormFailure, useHeldBack } from '#app/limits/form-failure.tsx'
import { leaveTo, submitSignIn } from '#app/shell/sign-in.ts'
import { Button } from '#app/ui/button.tsx'
import { Field, PasswordField } from '#app/ui/field.tsx'
import { useTyped } from './use-typed.ts'

interface Props {
  next: string
  signup: 'closed' | 'invite' | 'open'
  gallery: boolean
}

/** Signs in and opens `next`. Keeps what was typed if it fails. */
export function SignInForm({ next, signup, gallery }: Props) {
  const tCredentials = useTranslations('credentials')
  const tSignIn = useTranslations('signIn')
  const [username, setUsername] = useTyped('sign-in', 'username')
  const [password, setPassword] = useTyped('sign-in', 'password')
  const attempt = useMutation({
    mutationFn: () => submitSignIn(username, password, tSignIn),
    onSuccess: () => leaveTo(next),
  })
  const isHeldBack = useHeldBack(attempt.error)
  const isLeaving = attempt.isPending || attempt.isSuccess
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isHeldBack && !isLeaving) attempt.mutate()
  }
  return (
    // method="dialog": submitting before the script has loaded does nothing, so the password never gets into the URL.
    <form name="sign-in" method="dialog" onSubmit={submit} className="flex flex-col gap-5">
      <Field
        label={tCredentials('username')}
        name="username"
        value={username}
        onChange={setUsername}
        autoComplete="username"
        isVerbatim
        isRequired
        autoFocus
      />
      <PasswordField
        label={tCredentials('password')}
        name="password"
        value={password}
        onChange={setPassword}
        autoComplete="current-password"
        isRequired
      />
      <FormFailure error={attempt.error} />
      <Button type="submit" tone="primary" isPending={isLeaving} isDisabled={isHeldBack}>
        {isLeaving ? tCredentials('signingIn') : tCredentials('signIn')}
      </Button>
      <p className="flex flex-wrap gap-x-5 gap-y-1 text-sm text-ink-soft">
        {signup === 'open' && (
          <Link href="/signup" prefetch={false} className="text-water underline underline-offset-4">
            {tCredentials('createAccount')}
          </Link>
        )}
        {gallery && (
          <Link href="/" prefetch={false} className="text-water underline underline-offset-4">
            {tCredentials('publicGallery')}
          </Link>
        )}
        {signup === 'invite' && tCredentials('inviteOnly')}
      </p>
    </form>
  )
}
