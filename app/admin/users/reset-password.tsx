'use client'

import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { passwordProblem } from '#app/account/credentials.ts'
import { type UserItem, useTRPC } from '#app/connection/trpc.ts'
import { FormFailure, useHeldBack } from '#app/limits/form-failure.tsx'
import { Button } from '#app/ui/button.tsx'
import { Dialog, DialogActions } from '#app/ui/dialog.tsx'
import { toast } from '#app/ui/toast-queue.ts'
import { NewPasswordField } from './new-password-field.tsx'

export function ResetPassword({ user, onClose }: { user: UserItem; onClose: () => void }) {
  const trpc = useTRPC()
  const [password, setPassword] = useState('')
  const [isChecked, setChecked] = useState(false)
  const reset = useMutation(
    trpc.user.resetPassword.mutationOptions({
      onSuccess: () => {
        toast({ title: `${user.username} has a new password, and is signed out everywhere.` })
        onClose()
      },
    }),
  )
  const isHeldBack = useHeldBack(reset.error)
  const problem = passwordProblem(password)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setChecked(true)
    if (!problem && !isHeldBack) reset.mutate({ id: user.id, password })
  }
  return (
    <Dialog title={`New password for ${user.username}`} isOpen onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <p className="text-sm text-ink-soft">
          They are signed out everywhere, their API tokens, deletion links and the invites they made are void, and they
          sign in again with the password you hand them.
        </p>
        <NewPasswordField value={password} onChange={setPassword} error={isChecked ? problem : null} autoFocus />
        <FormFailure error={reset.error} />
        <DialogActions>
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" tone="primary" isPending={reset.isPending} isDisabled={isHeldBack}>
            Set password
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
