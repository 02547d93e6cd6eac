'use client'

import { useInfiniteQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { useTRPCClient } from '#app/connection/trpc.ts'
import { QueryStanding } from '#app/limits/query-standing.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyList } from '#app/ui/empty-list.tsx'
import { Fold } from '#app/ui/fold.tsx'
import { Select } from '#app/ui/select.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { useConsole } from '../console.tsx'
import { placeKey } from '../terms-text.ts'
import type { HistoryItem } from '../types.ts'
import { HistoryLine, isOfSet } from './history-line.tsx'
import { historyKey } from './use-slots.ts'

/** All changes of limits, newest first. */
export function History() {
  const t = useTranslations('adminLimits')
  const [ruleSet, setRuleSet] = useState('')
  const query = useHistory(ruleSet)
  const items = query.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <Fold title={t('history')} isOpenAtFirst beside={<Filter ruleSet={ruleSet} onChange={setRuleSet} />}>
      {query.isPending && <Skeleton className="h-24 w-full" />}
      {query.isSuccess && items.length === 0 && (
        <EmptyList>{ruleSet === '' ? t('historyNone') : t('historyNoneOf', { ruleSet })}</EmptyList>
      )}
      {items.length > 0 && (
        <ol aria-label={t('history')} className="divide-y divide-line rounded-lg border border-line bg-surface text-sm">
          {items.map((item, index) => (
            <HistoryLine
              key={item.id}
              item={item}
              isLast={items.findIndex((each) => isOfPlace(each, item)) === index}
            />
          ))}
        </ol>
      )}
      <QueryStanding query={query} />
      {query.hasNextPage && (
        <Button size="small" className="mt-3" isPending={query.isFetching} onPress={() => query.fetchNextPage()}>
          {t('historyMore')}
        </Button>
      )}
    </Fold>
  )
}

/** The changes of a rule set, or of all if `ruleSet` is empty. */
function useHistory(ruleSet: string) {
  const { limits } = useTRPCClient()
  return useInfiniteQuery({
    queryKey: historyKey(ruleSet),
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      limits.history.query(
        { ...(ruleSet && { ruleSet }), ...(pageParam !== null && { cursor: pageParam }) },
        { signal },
      ),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })
}

function Filter({ ruleSet, onChange }: { ruleSet: string; onChange: (ruleSet: string) => void }) {
  const t = useTranslations('adminLimits')
  const names = useConsole().list.ruleSets.map(({ name }) => ({ value: name, label: name }))
  const options = [{ value: '', label: t('historyAll') }, ...names]
  return (
    <>
      <Link
        href={`/admin/audit?kind=limits${ruleSet && `&target=${encodeURIComponent(ruleSet)}`}`}
        prefetch={false}
        className="text-sm text-ink-soft underline underline-offset-2 hover:text-ink"
      >
        {t('historyInAudit')}
      </Link>
      <div className="w-56 max-w-full">
        <Select label={t('historyFilter')} isLabelHidden value={ruleSet} options={options} onChange={onChange} />
      </div>
    </>
  )
}

/** Whether two changes are of one override, or of one rule set that was added. */
const isOfPlace = (a: HistoryItem, b: HistoryItem): boolean =>
  a.action !== 'limits.reset' && isOfSet(a) === isOfSet(b) && a.ruleSet === b.ruleSet && placeKey(a) === placeKey(b)
