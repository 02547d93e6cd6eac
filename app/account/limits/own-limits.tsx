'use client'

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { useTRPC } from '#app/connection/trpc.ts'
import { QueryStanding } from '#app/limits/query-standing.tsx'
import { ruleSetTitle } from '#app/limits/rule-set-title.ts'
import { Button } from '#app/ui/button.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { RuleBar } from './rule-bar.tsx'
import { arrangeSets, type OwnRule } from './sets.ts'

/** How often the figures are read while the page is visible. The server allows 60 a minute. */
const INTERVAL_MS = 5_000

/** What the viewer has used of each of their limits, and when it comes back. */
export function OwnLimits() {
  const t = useTranslations('ownLimits')
  const trpc = useTRPC()
  const query = useQuery(
    trpc.limits.mine.queryOptions(undefined, {
      staleTime: 0,
      refetchInterval: ({ state }) => (state.data?.isUnlimited ? false : INTERVAL_MS),
    }),
  )
  const [isWhole, setWhole] = useState(false)
  if (query.data?.isUnlimited) return <p>{t('unlimited')}</p>
  const { usual, others } = arrangeSets(query.data?.rules ?? [])
  return (
    <div className="flex max-w-xl flex-col items-start gap-5">
      {query.isPending && <Skeleton className="h-64 w-full" />}
      <QueryStanding query={query} />
      <ul className="grid w-full gap-x-8 gap-y-5 sm:grid-cols-2">
        {[...usual, ...(isWhole ? others : [])].map(({ name, rules }) => (
          <li key={name} className="min-w-0">
            <SetOfRules name={name} rules={rules} readAt={query.dataUpdatedAt} />
          </li>
        ))}
      </ul>
      {others.length > 0 && (
        <Button size="small" onPress={() => setWhole(!isWhole)} aria-expanded={isWhole}>
          {isWhole ? t('fewer') : t('more', { count: others.length })}
        </Button>
      )}
    </div>
  )
}

function SetOfRules({ name, rules, readAt }: { name: string; rules: readonly OwnRule[]; readAt: number }) {
  const title = ruleSetTitle(name, useTranslations('ruleSets'))
  return (
    <>
      <h3 className="mb-1.5 text-sm font-medium">{title}</h3>
      <ul className="flex flex-col gap-2.5">
        {rules.map((rule) => (
          <li key={rule.policy}>
            <RuleBar rule={rule} title={title} readAt={readAt} />
          </li>
        ))}
      </ul>
    </>
  )
}
