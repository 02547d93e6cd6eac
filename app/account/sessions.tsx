'use client'

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Monitor, Smartphone, SquareTerminal } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { type Outputs, useTRPC } from '#app/connection/trpc.ts'
import { QueryStanding } from '#app/limits/query-standing.tsx'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { leaveTo } from '#app/shell/sign-in.ts'
import { Button } from '#app/ui/button.tsx'
import { Confirm } from '#app/ui/confirm.tsx'
import { LocalDate } from '#app/ui/moment.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { type DeviceKind, describeDevice } from './device.ts'

type Session = Outputs['account']['sessions']['items'][number]

const icons = { computer: Monitor, phone: Smartphone, program: SquareTerminal } satisfies Record<DeviceKind, unknown>

/** Lists the account's sessions and ends one or all of them. */
export function Sessions() {
  const t = useTranslations('account')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const query = useQuery(trpc.account.sessions.queryOptions())
  const [isAsking, setAsking] = useState(false)
  const revoke = useMutation(
    trpc.account.revokeSession.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries({ queryKey: trpc.account.sessions.queryKey() }),
      onError: (error, input) => reportFailure(t('sessionNotEnded'), error, () => revoke.mutate(input)),
    }),
  )
  const everywhere = useMutation(
    trpc.account.signOutEverywhere.mutationOptions({
      onSuccess: () => leaveTo('/signin'),
      onError: (error) => reportFailure(t('signOutEverywhereFailed'), error, () => everywhere.mutate()),
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
        {t('signOutEverywhere')}
      </Button>
      <Confirm
        isOpen={isAsking}
        title={t('signOutEverywhereTitle')}
        action={t('signOutEverywhere')}
        onClose={() => setAsking(false)}
        onConfirm={() => everywhere.mutate()}
      >
        {t('signOutEverywhereText')}
      </Confirm>
    </div>
  )
}

function SessionRow({ session, isEnding, onEnd }: { session: Session; isEnding: boolean; onEnd: () => void }) {
  const t = useTranslations('account')
  const device = describeDevice(session.userAgent, t)
  const Icon = icons[device.kind]
  return (
    <li className="flex items-center gap-3 px-3.5 py-3">
      <Icon size={20} strokeWidth={1.7} className="shrink-0 text-ink-soft" />
      <div className="min-w-0 flex-1 text-sm">
        <p className="font-medium break-words">
          {device.name}
          {session.current && (
            <span className="ml-2 rounded-sm bg-water-soft px-1.5 py-0.5 text-xs text-water">{t('thisDevice')}</span>
          )}
        </p>
        <p className="figures break-words text-ink-soft">
          {t.rich('signedIn', {
            address: session.address,
            date: () => <LocalDate iso={session.createdAt} time />,
            used: () => <LocalDate iso={session.lastUsedAt} time />,
          })}
        </p>
      </div>
      {!session.current && (
        <Button
          tone="quiet-danger"
          size="small"
          aria-label={t('endSessionOf', { device: device.name })}
          isPending={isEnding}
          onPress={onEnd}
        >
          {t('endSession')}
        </Button>
      )}
    </li>
  )
}
