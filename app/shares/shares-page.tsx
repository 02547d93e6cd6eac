'use client'

import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { QueryStanding } from '#app/limits/query-standing.tsx'
import { useAccount } from '#app/shell/session.tsx'
import { EmptyList } from '#app/ui/empty-list.tsx'
import { LoadMore } from '#app/ui/load-more.tsx'
import { Segments } from '#app/ui/segments.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { ShareRow } from './share-row.tsx'
import { useSharesOptions } from './use-shares.ts'

/** The viewer's shares, newest first; for a superadmin everyone's too. */
export function SharesPage() {
  const t = useTranslations('sharing')
  const { role } = useAccount()
  const [scope, setScope] = useState<'mine' | 'all'>('mine')
  const query = useInfiniteQuery(useSharesOptions(scope))
  const items = query.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <div className="mx-auto max-w-4xl px-4 py-6 sm:px-6">
      <div className="mb-5 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div>
          <h1 className="text-xl font-semibold">{t('title')}</h1>
          <p className="mt-1 text-ink-soft">{t('lead')}</p>
        </div>
        {role === 'superadmin' && (
          <Segments
            label={t('whose')}
            value={scope}
            options={[
              { value: 'mine', label: t('mine') },
              { value: 'all', label: t('everyone') },
            ]}
            onChange={setScope}
          />
        )}
      </div>
      {query.isPending && <Skeleton className="h-28 w-full" />}
      <QueryStanding query={query} />
      {query.data && items.length === 0 && <EmptyList>{t('none')}</EmptyList>}
      {items.length > 0 && (
        <ul aria-label={t('title')} className="divide-y divide-line rounded-md border border-line bg-surface">
          {items.map((share) => (
            <ShareRow key={share.id} share={share} />
          ))}
        </ul>
      )}
      <LoadMore
        isWanted={query.hasNextPage && !query.isFetching && !query.error}
        onNear={() => void query.fetchNextPage()}
      />
    </div>
  )
}
