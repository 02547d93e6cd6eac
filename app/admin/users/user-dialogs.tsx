'use client'

import { useMutation } from '@tanstack/react-query'
import { type UserItem, useTRPC } from '#app/connection/trpc.ts'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { Confirm } from '#app/ui/confirm.tsx'
import { toast } from '#app/ui/toast-queue.ts'
import { count } from '#format/counts.ts'
import { ChangeRole } from './change-role.tsx'
import { ResetPassword } from './reset-password.tsx'
import { SetQuota } from './set-quota.tsx'
import { useUserCache } from './use-users.ts'
import type { UserAction } from './user-actions.ts'

export interface UserTask {
  readonly kind: UserAction
  readonly user: UserItem
}

/** The dialog that goes with what was chosen for an account. */
export function UserDialogs({ task, onClose }: { task: UserTask | null; onClose: () => void }) {
  const { ban, unban, remove } = useUserMutations()
  if (!task) return null
  const { kind, user } = task
  if (kind === 'role') return <ChangeRole user={user} onClose={onClose} />
  if (kind === 'quota') return <SetQuota user={user} onClose={onClose} />
  if (kind === 'password') return <ResetPassword user={user} onClose={onClose} />
  if (kind === 'unban') {
    return (
      <Confirm
        isOpen
        title={`Lift the ban on ${user.username}?`}
        action="Lift the ban"
        tone="primary"
        onClose={onClose}
        onConfirm={() => unban(user)}
      >
        They can sign in again at once. Their API tokens, deletion links and invites do not come back.
      </Confirm>
    )
  }
  if (kind === 'ban') {
    return (
      <Confirm isOpen title={`Ban ${user.username}?`} action="Ban" onClose={onClose} onConfirm={() => ban(user)}>
        They are signed out everywhere and cannot sign in, and their API tokens, deletion links and the invites they
        made are void. Their images stay where they are.
      </Confirm>
    )
  }
  return (
    <Confirm
      isOpen
      title={`Delete ${user.username}?`}
      action="Delete for good"
      onClose={onClose}
      onConfirm={() => remove(user)}
    >
      {user.images === 0
        ? 'The account is deleted for good.'
        : `The account and its ${count(user.images, 'image')} are deleted for good, and every link to them stops working.`}{' '}
      To only shut somebody out, ban them.
    </Confirm>
  )
}

function useUserMutations() {
  const trpc = useTRPC()
  const cache = useUserCache()
  const banning = useMutation(trpc.user.ban.mutationOptions({ onSuccess: cache.replace }))
  const unbanning = useMutation(trpc.user.unban.mutationOptions({ onSuccess: cache.replace }))
  const removing = useMutation(trpc.user.delete.mutationOptions())
  const ban = (user: UserItem): void =>
    banning.mutate(
      { id: user.id },
      {
        onSuccess: () => toast({ title: `${user.username} is banned.` }),
        onError: (error) => reportFailure(`${user.username} was not banned.`, error, () => ban(user)),
      },
    )
  const unban = (user: UserItem): void =>
    unbanning.mutate(
      { id: user.id },
      {
        onSuccess: () => toast({ title: `${user.username} can sign in again.` }),
        onError: (error) => reportFailure('The ban was not lifted.', error, () => unban(user)),
      },
    )
  const remove = (user: UserItem): void =>
    removing.mutate(
      { id: user.id },
      {
        onSuccess: () => {
          cache.remove(user.id)
          toast({ title: `${user.username} is deleted.` })
        },
        onError: (error) => reportFailure(`${user.username} was not deleted.`, error, () => remove(user)),
      },
    )
  return { ban, unban, remove }
}
