'use client'

import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { QueryStanding } from '#app/limits/query-standing.tsx'
import { Button } from '#app/ui/button.tsx'
import { Fold } from '#app/ui/fold.tsx'
import { Moment } from '#app/ui/moment.tsx'
import { Select } from '#app/ui/select.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import type { HistoryItem } from '../types.ts'
import { actionWords, changeWords } from './history-words.ts'
import { useHistoryOptions } from './use-history.ts'

/** Who changed what, when and why, newest first. */
export function History({ ruleSets }: { ruleSets: readonly string[] }) {
  const [ruleSet, setRuleSet] = useState('')
  const query = useInfiniteQuery(useHistoryOptions(ruleSet))
  const items = query.data?.pages.flatMap((page) => page.items) ?? []
  const options = [{ value: '', label: 'All rule sets' }, ...ruleSets.map((name) => ({ value: name, label: name }))]
  return (
    <Fold
      title="History"
      isOpenAtFirst
      beside={
        <div className="w-56 max-w-full">
          <Select label="Changes of" isLabelHidden value={ruleSet} options={options} onChange={setRuleSet} />
        </div>
      }
    >
      {query.isPending && <Skeleton className="h-24 w-full" />}
      {query.isSuccess && items.length === 0 && (
        <p className="rounded-lg border border-line border-dashed px-4 py-6 text-center text-sm text-ink-soft">
          {ruleSet === '' ? 'Nothing has been changed yet.' : `Nothing of ${ruleSet} has been changed yet.`}
        </p>
      )}
      {items.length > 0 && (
        <ol aria-label="History" className="divide-y divide-line rounded-lg border border-line bg-surface text-sm">
          {items.map((item) => (
            <HistoryLine key={item.id} item={item} />
          ))}
        </ol>
      )}
      <QueryStanding query={query} />
      {query.hasNextPage && (
        <Button size="small" className="mt-3" isPending={query.isFetching} onPress={() => query.fetchNextPage()}>
          Show earlier changes
        </Button>
      )}
    </Fold>
  )
}

function HistoryLine({ item }: { item: HistoryItem }) {
  const change = changeWords(item)
  return (
    <li className="grid gap-x-4 px-4 py-2.5 md:grid-cols-[minmax(0,1fr)_max-content]">
      <div className="min-w-0">
        <p className="break-words">
          <span className="font-medium">{item.actor}</span> {actionWords(item)}
        </p>
        {change && (
          <dl className="figures grid grid-cols-[max-content_minmax(0,1fr)] gap-x-2 text-ink-soft">
            <dt>before</dt>
            <dd className="break-words">{change.before}</dd>
            <dt>after</dt>
            <dd className="break-words text-ink">{change.after}</dd>
          </dl>
        )}
        {item.note && <p className="break-words">“{item.note}”</p>}
      </div>
      <p className="figures text-ink-soft">
        <Moment iso={item.at} time />
      </p>
    </li>
  )
}
