'use client'

import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl/react'
import { type UserItem, useTRPC } from '#app/connection/trpc.ts'
import { FormFailure, useHeldBack } from '#app/limits/form-failure.tsx'
import { Button } from '#app/ui/button.tsx'
import { Dialog, DialogActions } from '#app/ui/dialog.tsx'
import { PasswordLink } from './password-link.tsx'

export default function ResetPassword({ user, onClose }: { user: UserItem; onClose: () => void }) {
  const tAdminUsers = useTranslations('adminUsers')
  const tUi = useTranslations('ui')
  const trpc = useTRPC()
  const reset = useMutation(trpc.user.resetPassword.mutationOptions())
  const isHeldBack = useHeldBack(reset.error)
  const { username } = user
  return (
    <Dialog title={tAdminUsers('passwordTitle', { username })} isOpen onClose={onClose}>
      {reset.data ? (
        <PasswordLink username={username} link={reset.data} onClose={onClose} />
      ) : (
        <div className="flex flex-col gap-4">
          <p className="text-sm text-ink-soft">{tAdminUsers('passwordText', { username })}</p>
          <p className="text-sm text-ink-soft">{tAdminUsers('passwordShown', { username })}</p>
          <FormFailure error={reset.error} />
          <DialogActions>
            <Button onPress={onClose}>{tUi('cancel')}</Button>
            <Button
              tone="primary"
              isPending={reset.isPending}
              isDisabled={isHeldBack}
              onPress={() => reset.mutate({ id: user.id })}
            >
              {tAdminUsers('createLink')}
            </Button>
          </DialogActions>
        </div>
      )}
    </Dialog>
  )
}
