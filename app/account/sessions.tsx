'use client'

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Monitor, Smartphone, SquareTerminal } from 'lucide-react'
import { useState } from 'react'
import { type Outputs, useTRPC } from '#app/connection/trpc.ts'
import { QueryStanding } from '#app/limits/query-standing.tsx'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { leaveTo } from '#app/shell/sign-in.ts'
import { Button } from '#app/ui/button.tsx'
import { Confirm } from '#app/ui/confirm.tsx'
import { Moment } from '#app/ui/moment.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { type DeviceKind, deviceOf } from './device.ts'

type Session = Outputs['account']['sessions']['items'][number]

const icons = { computer: Monitor, phone: Smartphone, program: SquareTerminal } satisfies Record<DeviceKind, unknown>

/** Where the account is signed in; each can be ended, and all at once. */
export function Sessions() {
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const query = useQuery(trpc.account.sessions.queryOptions())
  const [isAsking, setAsking] = useState(false)
  const revoke = useMutation(
    trpc.account.revokeSession.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries({ queryKey: trpc.account.sessions.queryKey() }),
      onError: (error, input) => reportFailure('The session was not ended.', error, () => revoke.mutate(input)),
    }),
  )
  const everywhere = useMutation(
    trpc.account.signOutEverywhere.mutationOptions({
      onSuccess: () => leaveTo('/signin'),
      onError: (error) => reportFailure('The sessions were not ended.', error, () => everywhere.mutate()),
    }),
  )
  return (
    <div className="flex flex-col items-start gap-4">
      {query.isPending && <Skeleton className="h-16 w-full" />}
      <QueryStanding query={query} />
      {query.data && (
        <ul className="w-full divide-y divide-line rounded-md border border-line bg-surface">
          {query.data.items.map((session) => (
            <SessionRow
              key={session.id}
              session={session}
              isEnding={revoke.isPending && revoke.variables.id === session.id}
              onEnd={() => revoke.mutate({ id: session.id })}
            />
          ))}
        </ul>
      )}
      <Button onPress={() => setAsking(true)} isPending={everywhere.isPending}>
        Sign out everywhere
      </Button>
      <Confirm
        isOpen={isAsking}
        title="Sign out everywhere?"
        action="Sign out everywhere"
        onClose={() => setAsking(false)}
        onConfirm={() => everywhere.mutate()}
      >
        Every device is signed out at once, this one too. API tokens stay: revoke them one by one.
      </Confirm>
    </div>
  )
}

function SessionRow({ session, isEnding, onEnd }: { session: Session; isEnding: boolean; onEnd: () => void }) {
  const device = deviceOf(session.userAgent)
  const Icon = icons[device.kind]
  return (
    <li className="flex items-center gap-3 px-3.5 py-3">
      <Icon size={20} strokeWidth={1.7} className="shrink-0 text-ink-soft" />
      <div className="min-w-0 flex-1 text-sm">
        <p className="font-medium break-words">
          {device.name}
          {session.current && (
            <span className="ml-2 rounded-sm bg-water-soft px-1.5 py-0.5 text-xs text-water">This device</span>
          )}
        </p>
        <p className="figures break-words text-ink-soft">
          {session.address} · since <Moment iso={session.createdAt} time />
        </p>
      </div>
      {!session.current && (
        <Button
          tone="quiet-danger"
          size="small"
          aria-label={`End the session of ${device.name}`}
          isPending={isEnding}
          onPress={onEnd}
        >
          End
        </Button>
      )}
    </li>
  )
}
