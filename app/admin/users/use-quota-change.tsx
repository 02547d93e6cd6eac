'use client'

import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl/react'
import { type Outputs, useTRPC } from '#app/connection/trpc.ts'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { toast } from '#app/ui/toast-queue.ts'
import { useUserCache } from './use-users.ts'

type Items = Outputs['user']['setQuotas']['items']

/** Sets quotas, shows whose could not be set, and offers to undo it. */
export function useQuotaChange(onDone: () => void) {
  const t = useTranslations('adminUsers')
  const tAdmin = useTranslations('admin')
  const cache = useUserCache()
  const options = useTRPC().user.setQuotas.mutationOptions()
  const apply = (items: Items) => {
    for (const item of items) if (item.outcome === 'done') cache.replace(item.user)
    if (items.some(({ outcome }) => outcome === 'user-not-found')) void cache.refresh()
  }
  const undo = useMutation({
    ...options,
    onSuccess: ({ items }) => {
      apply(items)
      toast({ title: tAdmin('undone'), body: <NotSet items={items} /> })
    },
    onError: (error, input) => reportFailure(tAdmin('undoFailed'), error, () => undo.mutate(input)),
  })
  return useMutation({
    ...options,
    onSuccess: ({ items }) => {
      apply(items)
      const done = items.filter((item) => item.outcome === 'done')
      const changes = done.map(({ id, previous, user }) => ({ id, quotaBytes: previous, from: user.quotaBytes }))
      const [first] = done
      toast({
        title:
          done.length === 1 && first
            ? t('quotaSaved', { username: first.user.username })
            : t('quotasSaved', { count: done.length }),
        body: <NotSet items={items} />,
        ...(changes.length > 0 && { action: { label: tAdmin('undo'), run: () => undo.mutate({ changes }) } }),
      })
      onDone()
    },
  })
}

function NotSet({ items }: { items: Items }) {
  const t = useTranslations('adminUsers')
  const count = (outcome: Items[number]['outcome']) => items.filter((item) => item.outcome === outcome).length
  const [missing, changed] = [count('user-not-found'), count('quota-changed')]
  if (missing + changed === 0) return null
  return (
    <ul className="mt-1 text-sm">
      {missing > 0 && <li>{t('quotaMissing', { count: missing })}</li>}
      {changed > 0 && <li>{t('quotaChanged', { count: changed })}</li>}
    </ul>
  )
}
