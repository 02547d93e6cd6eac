'use client'

import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { type UserItem, useTRPC } from '#app/connection/trpc.ts'
import { FormFailure, useHeldBack } from '#app/limits/form-failure.tsx'
import { Button } from '#app/ui/button.tsx'
import { Dialog, DialogActions } from '#app/ui/dialog.tsx'
import { Field } from '#app/ui/field.tsx'
import { toast } from '#app/ui/toast-queue.ts'
import { useUserCache } from './use-users.ts'

/** Bans an account, with the reason that its owner reads when signing in is refused. */
export default function BanUser({ user, onClose }: { user: UserItem; onClose: () => void }) {
  const t = useTranslations('adminUsers')
  const tUi = useTranslations('ui')
  const cache = useUserCache()
  const { username } = user
  const [reason, setReason] = useState('')
  const ban = useMutation(
    useTRPC().user.ban.mutationOptions({
      onSuccess: (banned) => {
        cache.replace(banned)
        toast({ title: t('isBanned', { username }) })
        onClose()
      },
    }),
  )
  const isHeldBack = useHeldBack(ban.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isHeldBack && !ban.isPending) ban.mutate({ id: user.id, ...(reason.trim() && { reason }) })
  }
  return (
    <Dialog role="alertdialog" title={t('banTitle', { username })} isOpen onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <p className="text-ink-soft">{t('banText')}</p>
        <Field
          label={t('banReason')}
          hint={t('banReasonHint', { username })}
          value={reason}
          onChange={setReason}
          maxLength={300}
          autoFocus
        />
        <FormFailure error={ban.error} />
        <DialogActions>
          <Button onPress={onClose}>{tUi('cancel')}</Button>
          <Button type="submit" tone="danger" isPending={ban.isPending} isDisabled={isHeldBack}>
            {t('action.ban')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
