'use client'

import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl/react'
import { QueryStanding } from '#app/limits/query-standing.tsx'
import { useAccount } from '#app/shell/session.tsx'
import { Button } from '#app/ui/button.tsx'
import { LoadMore } from '#app/ui/load-more.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { AuditFilters } from './audit-filters.tsx'
import { EntryRow } from './entry-row.tsx'
import { ExportButtons } from './export-buttons.tsx'
import { useAuditFilter } from './use-audit-filter.ts'
import { useAuditListOptions } from './use-audit-list.ts'

/** Who did what, newest first. */
export function AuditPage() {
  const t = useTranslations('audit')
  const { role } = useAccount()
  const { filter, change, clear } = useAuditFilter()
  const query = useInfiniteQuery(useAuditListOptions(filter))
  const items = query.data?.pages.flatMap((page) => page.items) ?? []
  const isFiltered = Object.keys(filter).length > 0
  const isOver = query.isSuccess && !query.hasNextPage
  return (
    <div className="mx-auto max-w-5xl px-4 pb-12 sm:px-6">
      <div className="flex flex-wrap items-center gap-3 py-6">
        <h1 className="mr-auto text-2xl font-semibold tracking-[-0.02em]">{t('title')}</h1>
        {role === 'superadmin' && <ExportButtons filter={filter} />}
      </div>
      <AuditFilters filter={filter} onChange={change} />
      {query.isPending && <Skeleton className="h-64 w-full" />}
      {items.length > 0 && (
        <ol aria-label={t('title')} className="divide-y divide-line rounded-lg border border-line bg-surface">
          {items.map((item) => (
            <EntryRow key={item.id} item={item} onFilter={change} />
          ))}
        </ol>
      )}
      {isOver && items.length === 0 && (
        <div className="flex flex-col items-center gap-3 rounded-lg border border-line border-dashed px-4 py-12 text-center text-ink-soft">
          <p>{isFiltered ? t('none') : t('noneYet')}</p>
          {isFiltered && (
            <Button size="small" onPress={clear}>
              {t('clear')}
            </Button>
          )}
        </div>
      )}
      <QueryStanding query={query} />
      {query.isFetchingNextPage && (
        <p role="status" className="py-4 text-center text-sm text-ink-soft">
          {t('loadingOlder')}
        </p>
      )}
      <LoadMore
        isWanted={query.hasNextPage && !query.isFetching && !query.isError}
        onNear={() => query.fetchNextPage()}
      />
    </div>
  )
}
