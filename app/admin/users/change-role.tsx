'use client'

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type UserItem, useTRPC } from '#app/connection/trpc.ts'
import { FormFailure, useHeldBack } from '#app/limits/form-failure.tsx'
import { Button } from '#app/ui/button.tsx'
import { Dialog, DialogActions } from '#app/ui/dialog.tsx'
import { toast } from '#app/ui/toast-queue.ts'
import { RoleFields } from './role-fields.tsx'
import { useUserCache } from './use-users.ts'

export function ChangeRole({ user, onClose }: { user: UserItem; onClose: () => void }) {
  const trpc = useTRPC()
  const cache = useUserCache()
  const [role, setRole] = useState(user.role)
  const [shared, setShared] = useState(user.shared)
  const update = useMutation(
    trpc.user.update.mutationOptions({
      onSuccess: (changed) => {
        cache.replace(changed)
        toast({ title: 'Role changed. They are signed out and sign in anew.' })
        onClose()
      },
    }),
  )
  const isHeldBack = useHeldBack(update.error)
  const isSame = role === user.role && shared === user.shared
  return (
    <Dialog title={`Role of ${user.username}`} isOpen onClose={onClose}>
      <RoleFields role={role} shared={shared} onRole={setRole} onShared={setShared} />
      <p className="text-sm text-ink-soft">A change ends their sessions: they sign in again with their new rights.</p>
      <FormFailure error={update.error} />
      <DialogActions>
        <Button onPress={onClose}>Cancel</Button>
        <Button
          tone="primary"
          isDisabled={isSame || isHeldBack}
          isPending={update.isPending}
          onPress={() => update.mutate({ id: user.id, role, shared })}
        >
          Save
        </Button>
      </DialogActions>
    </Dialog>
  )
}
