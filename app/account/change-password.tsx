'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTRPC } from '#app/connection/trpc.ts'
import { FormFailure, useHeldBack } from '#app/limits/form-failure.tsx'
import { useAccount } from '#app/shell/session.tsx'
import { Button } from '#app/ui/button.tsx'
import { PasswordField } from '#app/ui/field.tsx'
import { toast } from '#app/ui/toast-queue.ts'
import { passwordProblem } from './credentials.ts'

const blank = { current: '', fresh: '', again: '' }

export function ChangePassword() {
  const { username } = useAccount()
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const [typed, setTyped] = useState(blank)
  const [isChecked, setChecked] = useState(false)
  const change = useMutation(
    trpc.account.changePassword.mutationOptions({
      onSuccess: () => {
        setTyped(blank)
        setChecked(false)
        toast({ title: 'Password changed. Every other device is signed out.' })
        return queryClient.invalidateQueries({ queryKey: trpc.account.sessions.queryKey() })
      },
    }),
  )
  const isHeldBack = useHeldBack(change.error)
  const short = passwordProblem(typed.fresh)
  const differs = passwordProblem(typed.fresh, typed.again)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setChecked(true)
    if (!differs && !isHeldBack && !change.isPending)
      change.mutate({ currentPassword: typed.current, newPassword: typed.fresh })
  }
  const set = (name: keyof typeof blank) => (value: string) => setTyped({ ...typed, [name]: value })
  return (
    <form method="dialog" onSubmit={submit} className="flex max-w-sm flex-col gap-4">
      {/* Password managers file the change under this name. */}
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <PasswordField
        label="Current password"
        value={typed.current}
        onChange={set('current')}
        autoComplete="current-password"
        isRequired
      />
      <PasswordField
        label="New password"
        hint="At least 10 characters."
        error={isChecked ? short : null}
        value={typed.fresh}
        onChange={set('fresh')}
        autoComplete="new-password"
        isRequired
      />
      <PasswordField
        label="New password again"
        error={isChecked && !short ? differs : null}
        value={typed.again}
        onChange={set('again')}
        autoComplete="new-password"
        isRequired
      />
      <FormFailure error={change.error} />
      <Button type="submit" tone="primary" isPending={change.isPending} isDisabled={isHeldBack} className="self-start">
        Change password
      </Button>
    </form>
  )
}
