'use client'

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { useTRPC } from '#app/connection/trpc.ts'
import { QueryStanding } from '#app/limits/query-standing.tsx'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { Button } from '#app/ui/button.tsx'
import { Confirm } from '#app/ui/confirm.tsx'
import { EmptyList } from '#app/ui/empty-list.tsx'
import { late } from '#app/ui/late.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import type { TokenItem } from './scopes.ts'
import { TokenRow } from './token-row.tsx'

const CreateToken = late(() => import('./create-token.tsx'))

/** Lists, creates and revokes the account's tokens. */
export function Tokens({ origin }: { origin: string }) {
  const t = useTranslations('tokens')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const query = useQuery(trpc.token.list.queryOptions())
  const [isCreating, setCreating] = useState(false)
  const [revoking, setRevoking] = useState<TokenItem | null>(null)
  const refresh = () => queryClient.invalidateQueries({ queryKey: trpc.token.list.queryKey() })
  const revoke = useMutation(
    trpc.token.revoke.mutationOptions({
      onSuccess: refresh,
      onError: (error, input) => reportFailure(t('revokeFailed'), error, () => revoke.mutate(input)),
    }),
  )
  return (
    <div className="flex flex-col items-start gap-4">
      {query.isPending && <Skeleton className="h-16 w-full" />}
      <QueryStanding query={query} />
      {query.data?.items.length === 0 && <None />}
      {query.data && query.data.items.length > 0 && (
        <ul aria-label={t('title')} className="w-full divide-y divide-line rounded-md border border-line bg-surface">
          {query.data.items.map((token) => (
            <TokenRow
              key={token.id}
              token={token}
              isRevoking={revoke.isPending && revoke.variables.id === token.id}
              onRevoke={() => setRevoking(token)}
            />
          ))}
        </ul>
      )}
      <Button onPress={() => setCreating(true)}>
        <KeyRound size={17} /> {t('create')}
      </Button>
      <p className="text-sm text-ink-soft">{t('note')}</p>
      {isCreating && <CreateToken origin={origin} onClose={() => setCreating(false)} />}
      <Confirm
        isOpen={revoking !== null}
        title={t('revokeTitle', { name: revoking?.name ?? '' })}
        action={t('revokeToken')}
        onClose={() => setRevoking(null)}
        onConfirm={() => revoking && revoke.mutate({ id: revoking.id })}
      >
        {t('revokeText')}
      </Confirm>
    </div>
  )
}

function None() {
  const t = useTranslations('tokens')
  return <EmptyList>{t('none')}</EmptyList>
}
