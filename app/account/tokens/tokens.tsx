'use client'

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { useTRPC } from '#app/connection/trpc.ts'
import { QueryStanding } from '#app/limits/query-standing.tsx'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { Button } from '#app/ui/button.tsx'
import { Confirm } from '#app/ui/confirm.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { CreateToken } from './create-token.tsx'
import type { TokenItem } from './scope-words.ts'
import { TokenRow } from './token-row.tsx'

/** The account's tokens: made, listed, revoked. */
export function Tokens({ origin }: { origin: string }) {
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const query = useQuery(trpc.token.list.queryOptions())
  const [isCreating, setCreating] = useState(false)
  const [revoking, setRevoking] = useState<TokenItem | null>(null)
  const refresh = () => queryClient.invalidateQueries({ queryKey: trpc.token.list.queryKey() })
  const revoke = useMutation(
    trpc.token.revoke.mutationOptions({
      onSuccess: refresh,
      onError: (error, input) => reportFailure('The token was not revoked.', error, () => revoke.mutate(input)),
    }),
  )
  return (
    <div className="flex flex-col items-start gap-4">
      {query.isPending && <Skeleton className="h-16 w-full" />}
      <QueryStanding query={query} />
      {query.data?.items.length === 0 && <None />}
      {query.data && query.data.items.length > 0 && (
        <ul aria-label="API tokens" className="w-full divide-y divide-line rounded-md border border-line bg-surface">
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
        <KeyRound size={17} /> Create a token
      </Button>
      <p className="text-sm text-ink-soft">
        Tokens stay when you change your password or sign out everywhere: revoke them here. When an admin gives you a
        new password, all of them are void.
      </p>
      <CreateToken origin={origin} isOpen={isCreating} onClose={() => setCreating(false)} />
      <Confirm
        isOpen={revoking !== null}
        title={`Revoke “${revoking?.name}”?`}
        action="Revoke token"
        onClose={() => setRevoking(null)}
        onConfirm={() => revoking && revoke.mutate({ id: revoking.id })}
      >
        Programs that use it are refused at once. What they uploaded stays.
      </Confirm>
    </div>
  )
}

function None() {
  return (
    <p className="w-full rounded-md border border-line border-dashed px-4 py-6 text-center text-sm text-ink-soft">
      No tokens yet. A program that has one speaks for you, without your password.
    </p>
  )
}
