'use client'

import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { passwordProblem } from '#app/account/credentials.ts'
import { type UserItem, useTRPC } from '#app/connection/trpc.ts'
import { FormFailure, useHeldBack } from '#app/limits/form-failure.tsx'
import { Button } from '#app/ui/button.tsx'
import { Dialog, DialogActions } from '#app/ui/dialog.tsx'
import { toast } from '#app/ui/toast-queue.ts'
import { NewPasswordField } from './new-password-field.tsx'

export function ResetPassword({ user, onClose }: { user: UserItem; onClose: () => void }) {
  const tAdminUsers = useTranslations('adminUsers')
  const tCredentials = useTranslations('credentials')
  const tUi = useTranslations('ui')
  const trpc = useTRPC()
  const [password, setPassword] = useState('')
  const [isChecked, setChecked] = useState(false)
  const reset = useMutation(
    trpc.user.resetPassword.mutationOptions({
      onSuccess: () => {
        toast({ title: tAdminUsers('passwordReset', { username: user.username }) })
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
    <Dialog title={tAdminUsers('passwordTitle', { username: user.username })} isOpen onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <p className="text-sm text-ink-soft">{tAdminUsers('passwordText')}</p>
        <NewPasswordField
          value={password}
          onChange={setPassword}
          error={isChecked && problem ? tCredentials(`${problem}`) : null}
          autoFocus
        />
        <FormFailure error={reset.error} />
        <DialogActions>
          <Button onPress={onClose}>{tUi('cancel')}</Button>
          <Button type="submit" tone="primary" isPending={reset.isPending} isDisabled={isHeldBack}>
            {tAdminUsers('setPassword')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
