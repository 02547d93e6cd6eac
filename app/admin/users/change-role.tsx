'use client'

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { type UserItem, useTRPC } from '#app/connection/trpc.ts'
import { FormFailure, useHeldBack } from '#app/limits/form-failure.tsx'
import { Button } from '#app/ui/button.tsx'
import { Dialog, DialogActions } from '#app/ui/dialog.tsx'
import { toast } from '#app/ui/toast-queue.ts'
import { RoleFields } from './role-fields.tsx'
import { useUserCache } from './use-users.ts'

export default function ChangeRole({ user, onClose }: { user: UserItem; onClose: () => void }) {
  const tAdminUsers = useTranslations('adminUsers')
  const tUi = useTranslations('ui')
  const tAdmin = useTranslations('admin')
  const trpc = useTRPC()
  const cache = useUserCache()
  const [role, setRole] = useState(user.role)
  const [shared, setShared] = useState(user.shared)
  const update = useMutation(
    trpc.user.update.mutationOptions({
      onSuccess: (changed) => {
        cache.replace(changed)
        toast({ title: tAdminUsers('roleSaved', { username: user.username }) })
        onClose()
      },
    }),
  )
  const isHeldBack = useHeldBack(update.error)
  const isSame = role === user.role && shared === user.shared
  return (
    <Dialog title={tAdminUsers('roleTitle', { username: user.username })} isOpen onClose={onClose}>
      <RoleFields role={role} shared={shared} onRole={setRole} onShared={setShared} />
      <p className="text-sm text-ink-soft">{tAdminUsers('roleText')}</p>
      <FormFailure error={update.error} />
      <DialogActions>
        <Button onPress={onClose}>{tUi('cancel')}</Button>
        <Button
          tone="primary"
          isDisabled={isSame || isHeldBack}
          isPending={update.isPending}
          onPress={() => update.mutate({ id: user.id, role, shared })}
        >
          {tAdmin('save')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
