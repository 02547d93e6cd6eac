'use client'

import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl/react'
import { type UserItem, useTRPC } from '#app/connection/trpc.ts'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { Confirm } from '#app/ui/confirm.tsx'
import { late } from '#app/ui/late.tsx'
import { toast } from '#app/ui/toast-queue.ts'
import { useUserCache } from './use-users.ts'
import type { UserAction } from './user-actions.ts'

const BanUser = late(() => import('./ban-user.tsx'))
const ChangeRole = late(() => import('./change-role.tsx'))
const ResetPassword = late(() => import('./reset-password.tsx'))
const SetQuota = late(() => import('./set-quota.tsx'))

export interface UserTask {
  readonly kind: UserAction
  /** One, or for a quota several. */
  readonly users: readonly UserItem[]
}

/** The dialog for the action chosen for an account. */
export function UserDialogs({ task, onClose }: { task: UserTask | null; onClose: () => void }) {
  const t = useTranslations('adminUsers')
  const { unban, resetFactors, remove } = useUserMutations()
  const [user] = task?.users ?? []
  if (!task || !user) return null
  const { kind } = task
  const { username } = user
  if (kind === 'role') return <ChangeRole user={user} onClose={onClose} />
  if (kind === 'quota') return <SetQuota users={task.users} onClose={onClose} />
  if (kind === 'password') return <ResetPassword user={user} onClose={onClose} />
  if (kind === 'factors') {
    return (
      <Confirm
        isOpen
        title={t('factorsTitle', { username })}
        action={t('action.factors')}
        onClose={onClose}
        onConfirm={() => resetFactors(user)}
      >
        {t('factorsText')}
      </Confirm>
    )
  }
  if (kind === 'unban') {
    return (
      <Confirm
        isOpen
        title={t('unbanTitle', { username })}
        action={t('action.unban')}
        tone="primary"
        onClose={onClose}
        onConfirm={() => unban(user)}
      >
        {t('unbanText')}
      </Confirm>
    )
  }
  if (kind === 'ban') return <BanUser user={user} onClose={onClose} />
  return (
    <Confirm
      isOpen
      title={t('deleteTitle', { username })}
      action={t('deleteAction')}
      onClose={onClose}
      onConfirm={() => remove(user)}
    >
      {t('deleteText', { images: user.images })}
    </Confirm>
  )
}

function useUserMutations() {
  const t = useTranslations('adminUsers')
  const trpc = useTRPC()
  const cache = useUserCache()
  const unbanning = useMutation(trpc.user.unban.mutationOptions({ onSuccess: cache.replace }))
  const resetting = useMutation(trpc.user.resetFactors.mutationOptions())
  const removing = useMutation(trpc.user.delete.mutationOptions())
  const unban = (user: UserItem): void =>
    unbanning.mutate(
      { id: user.id },
      {
        onSuccess: () => toast({ title: t('isUnbanned', { username: user.username }) }),
        onError: (error) => reportFailure(t('unbanFailed', { username: user.username }), error, () => unban(user)),
      },
    )
  const resetFactors = (user: UserItem): void =>
    resetting.mutate(
      { id: user.id },
      {
        onSuccess: ({ hadFactors }) =>
          toast({ title: t(hadFactors ? 'factorsEnded' : 'factorsNone', { username: user.username }) }),
        onError: (error) =>
          reportFailure(t('factorsFailed', { username: user.username }), error, () => resetFactors(user)),
      },
    )
  const remove = (user: UserItem): void =>
    removing.mutate(
      { id: user.id },
      {
        onSuccess: () => {
          cache.remove(user.id)
          toast({ title: t('deleted', { username: user.username }) })
        },
        onError: (error) => reportFailure(t('deleteFailed', { username: user.username }), error, () => remove(user)),
      },
    )
  return { unban, resetFactors, remove }
}
