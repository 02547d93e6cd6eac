'use client'

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { type Outputs, useTRPC } from '#app/connection/trpc.ts'
import { QueryStanding } from '#app/limits/query-standing.tsx'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { leaveTo } from '#app/shell/sign-in.ts'
import { Button } from '#app/ui/button.tsx'
import { Confirm } from '#app/ui/confirm.tsx'
import { EmptyList } from '#app/ui/empty-list.tsx'
import { LocalDate } from '#app/ui/moment.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { toast } from '#app/ui/toast-queue.ts'

type Item = Outputs['identity']['linked']['items'][number]

/** The account's accounts at providers: links and unlinks them. */
export function LinkedAccounts() {
  const t = useTranslations('linked')
  const trpc = useTRPC()
  const query = useQuery(trpc.identity.linked.queryOptions())
  const begin = useMutation(
    trpc.identity.beginLink.mutationOptions({
      onSuccess: ({ path }) => leaveTo(`${path}&${new URLSearchParams({ next: '/account#linked' })}`),
      onError: (error, input) => reportFailure(t('failed'), error, () => begin.mutate(input)),
    }),
  )
  const { items = [], available = [] } = query.data ?? {}
  return (
    <div className="flex flex-col items-start gap-4">
      {query.isPending && <Skeleton className="h-16 w-full" />}
      <QueryStanding query={query} />
      {query.data && items.length === 0 && <EmptyList>{t('none')}</EmptyList>}
      {items.length > 0 && (
        <ul aria-label={t('title')} className="w-full divide-y divide-line rounded-md border border-line bg-surface">
          {items.map((item) => (
            <LinkedRow key={item.id} item={item} />
          ))}
        </ul>
      )}
      {available.length > 0 && (
        <div className="flex max-w-full flex-wrap gap-2">
          {available.map(({ name, label }) => (
            <Button
              key={name}
              isPending={begin.isPending && begin.variables.provider === name}
              onPress={() => begin.mutate({ provider: name })}
            >
              <Link2 size={17} /> {t('link', { provider: label })}
            </Button>
          ))}
        </div>
      )}
    </div>
  )
}

function LinkedRow({ item: { id, provider, email, isUsable, linkedAt, lastUsedAt } }: { item: Item }) {
  const t = useTranslations('linked')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const unlink = useMutation(
    trpc.identity.unlink.mutationOptions({
      onSuccess: () => {
        toast({ title: t('unlinked') })
        return queryClient.invalidateQueries({ queryKey: trpc.identity.pathKey() })
      },
      onError: (error) => reportFailure(t('notUnlinked'), error, () => unlink.mutate({ id })),
    }),
  )
  const since = () => <LocalDate iso={linkedAt} />
  return (
    <li className="flex items-center gap-3 px-3.5 py-3">
      <div className="min-w-0 flex-1 text-sm">
        <p className="font-medium break-words">{provider}</p>
        <p className="figures break-words text-ink-soft">
          {email === null ? t.rich('since', { date: since }) : t.rich('email', { email, date: since })}
          {lastUsedAt !== null && (
            <>
              {' · '}
              {t.rich('used', { date: () => <LocalDate iso={lastUsedAt} /> })}
            </>
          )}
        </p>
        {!isUsable && <p className="text-danger">{t('unusable')}</p>}
      </div>
      <Button
        tone="quiet-danger"
        size="small"
        aria-label={t('unlinkNamed', { provider })}
        isPending={unlink.isPending}
        onPress={() => setAsking(true)}
      >
        {t('unlink')}
      </Button>
      <Confirm
        isOpen={isAsking}
        title={t('unlinkTitle', { provider })}
        action={t('unlink')}
        onClose={() => setAsking(false)}
        onConfirm={() => unlink.mutate({ id })}
      >
        {t('unlinkText')}
      </Confirm>
    </li>
  )
}
