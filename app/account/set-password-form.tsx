'use client'

import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { useTRPCClient } from '#app/connection/trpc.ts'
import { FormFailure, useHeldBack } from '#app/limits/form-failure.tsx'
import { leaveTo, submitSignIn } from '#app/shell/sign-in.ts'
import { Button } from '#app/ui/button.tsx'
import { PasswordField } from '#app/ui/field.tsx'
import { passwordProblem } from './credentials.ts'

interface Props {
  readonly link: string
  readonly username: string
  /** Null if that account has been deleted. */
  readonly createdBy: string | null
}

/** Sets the password of a link's account, and signs in with it. */
export function SetPasswordForm({ link, username, createdBy }: Props) {
  const client = useTRPCClient()
  const tCredentials = useTranslations('credentials')
  const tSignIn = useTranslations('signIn')
  const [typed, setTyped] = useState({ password: '', again: '' })
  const [isChecked, setChecked] = useState(false)
  const save = useMutation({
    mutationFn: async () => {
      await client.account.setPasswordByLink.mutate({ link, password: typed.password })
      // The password is set. If signing in fails, the start page leads to the sign-in page.
      await submitSignIn(username, typed.password, tSignIn).catch(() => undefined)
    },
    onSuccess: () => leaveTo('/'),
  })
  const isHeldBack = useHeldBack(save.error)
  const isBusy = save.isPending || save.isSuccess
  const short = passwordProblem(typed.password)
  const problem = passwordProblem(typed.password, typed.again)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setChecked(true)
    if (!problem && !isHeldBack && !isBusy) save.mutate()
  }
  return (
    // method="dialog": submitting before the script has loaded does nothing, so the password never gets into the URL.
    <form method="dialog" onSubmit={submit} className="flex flex-col gap-5">
      {/* Password managers save the password under this name. */}
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <PasswordField
        label={tCredentials('password')}
        hint={tCredentials('passwordHint')}
        error={isChecked && short ? tCredentials(`${short}`) : null}
        value={typed.password}
        onChange={(password) => setTyped({ ...typed, password })}
        autoComplete="new-password"
        isRequired
        autoFocus
      />
      <PasswordField
        label={tCredentials('repeatPassword')}
        error={isChecked && problem && !short ? tCredentials(`${problem}`) : null}
        value={typed.again}
        onChange={(again) => setTyped({ ...typed, again })}
        autoComplete="new-password"
        isRequired
      />
      <FormFailure error={save.error} />
      <Button type="submit" tone="primary" isPending={isBusy} isDisabled={isHeldBack}>
        {tCredentials('setPassword')}
      </Button>
      {createdBy !== null && <p className="text-sm text-ink-soft">{tSignIn('linkBy', { username: createdBy })}</p>}
    </form>
  )
}
