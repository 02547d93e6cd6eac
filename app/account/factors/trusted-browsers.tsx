'use client'

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'use-intl/react'
import { type Outputs, useTRPC } from '#app/connection/trpc.ts'
import { QueryStanding } from '#app/limits/query-standing.tsx'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { Button } from '#app/ui/button.tsx'
import { LocalDate } from '#app/ui/moment.tsx'
import { describeDevice } from '../device.ts'

type Item = Outputs['identity']['trustedDevices']['items'][number]

/** Lists the browsers that need no second step, and ends their trust. */
export function TrustedBrowsers() {
  const t = useTranslations('factors')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const query = useQuery(trpc.identity.trustedDevices.queryOptions())
  const untrust = useMutation(
    trpc.identity.untrustDevice.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries({ queryKey: trpc.identity.trustedDevices.queryKey() }),
      onError: (error, input) => reportFailure(t('notUntrusted'), error, () => untrust.mutate(input)),
    }),
  )
  const items = query.data?.items ?? []
  return (
    <>
      <QueryStanding query={query} />
      {items.length > 0 && (
        <section aria-labelledby="trusted" className="flex w-full flex-col gap-2">
          <h3 id="trusted" className="text-sm font-medium">
            {t('trusted')}
          </h3>
          <ul className="divide-y divide-line rounded-md border border-line bg-surface">
            {items.map((item) => (
              <TrustedRow
                key={item.id}
                item={item}
                isEnding={untrust.isPending && untrust.variables.id === item.id}
                onEnd={() => untrust.mutate({ id: item.id })}
              />
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

function TrustedRow({ item, isEnding, onEnd }: { item: Item; isEnding: boolean; onEnd: () => void }) {
  const t = useTranslations('factors')
  const tAccount = useTranslations('account')
  const { name } = describeDevice(item.userAgent ?? '', tAccount)
  return (
    <li className="flex items-center gap-3 px-3.5 py-3">
      <div className="min-w-0 flex-1 text-sm">
        <p className="font-medium break-words">{name}</p>
        <p className="figures break-words text-ink-soft">
          {t.rich('trustedFrom', {
            address: item.address ?? '',
            used: () => <LocalDate iso={item.lastUsedAt} time />,
            until: () => <LocalDate iso={item.trustedUntil} />,
          })}
        </p>
      </div>
      <Button
        tone="quiet-danger"
        size="small"
        aria-label={t('untrustNamed', { browser: name })}
        isPending={isEnding}
        onPress={onEnd}
      >
        {t('untrust')}
      </Button>
    </li>
  )
}
