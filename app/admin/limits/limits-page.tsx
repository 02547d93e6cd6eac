'use client'

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { useTRPC } from '#app/connection/trpc.ts'
import { QueryStanding } from '#app/limits/query-standing.tsx'
import { useAccount } from '#app/shell/session.tsx'
import { late } from '#app/ui/late.tsx'
import { LoadMore } from '#app/ui/load-more.tsx'
import { Search } from '#app/ui/search.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { ConsoleProvider, type OpenDialog, useConsole, useQuestion } from './console.tsx'
import { OpenedDialog } from './dialogs.tsx'
import { LiveSign, type LiveState, useLiveStats } from './live/live-stats.tsx'
import { LiveOverview } from './live/overview.tsx'
import { Procedures } from './rule-sets/procedures.tsx'
import { RuleSets } from './rule-sets/rule-sets.tsx'
import { Subjects } from './subjects/subjects.tsx'

// These come while the search may be typed into.
const LowerParts = late(() => import('./lower-parts.tsx'))
const BrokenSets = late(() => import('./changes/entries.tsx'))
/** Other admins may change limits too. */
const POLL_MS = 15_000

/** The declared limits, their live figures and, for superadmins, overrides. */
export function LimitsPage() {
  const mayChange = useAccount().role === 'superadmin'
  const list = useQuery(useTRPC().limits.list.queryOptions(undefined, { refetchInterval: POLL_MS }))
  const { stats = null, state, query } = useLiveStats()
  const [search, setSearch] = useState('')
  const [dialog, open] = useState<OpenDialog | null>(null)
  const question = useQuestion()
  return (
    <div className="mx-auto max-w-5xl px-4 sm:px-6">
      <Top search={search} onSearch={setSearch} state={state} />
      {stats ? <LiveOverview stats={stats} /> : query.isPending && <Skeleton className="h-40 w-full" />}
      {!stats && <QueryStanding query={query} />}
      {list.isPending && <Skeleton className="mt-10 h-96 w-full" />}
      <QueryStanding query={list} />
      {list.data && (
        <ConsoleProvider value={{ list: list.data, stats, mayChange, open, question }}>
          <Parts search={search} onSearch={setSearch} />
          {dialog && <OpenedDialog dialog={dialog} onClose={() => open(null)} />}
        </ConsoleProvider>
      )}
    </div>
  )
}

interface Searched {
  search: string
  onSearch: (search: string) => void
}

function Top({ search, onSearch, state }: Searched & { state: LiveState }) {
  const t = useTranslations('adminLimits')
  return (
    <div className="sticky top-14 z-10 -mx-4 mt-3 mb-1 flex flex-wrap items-center gap-x-5 gap-y-2 bg-ground/92 px-4 py-3 backdrop-blur-md sm:-mx-6 sm:px-6">
      <h1 className="text-2xl font-semibold tracking-[-0.02em] max-sm:mr-auto">{t('title')}</h1>
      <Search
        label={t('search')}
        placeholder={t('searchPlaceholder')}
        value={search}
        onChange={onSearch}
        className="flex-1 max-sm:order-last max-sm:basis-full"
      />
      <LiveSign state={state} />
    </div>
  )
}

function Parts(searched: Searched) {
  const { list, stats, question } = useConsole()
  const isBusy = useEverTrue(stats !== null && stats.nearest.length + stats.mostRefused.length > 0)
  const subjects = stats && <Subjects stats={stats} />
  return (
    <>
      {isBusy && subjects}
      {list.added.some(({ problem }) => problem) && <BrokenSets />}
      <RuleSets {...searched} />
      {!isBusy && subjects}
      <Procedures search={searched.search} />
      <div id="explain" className="min-h-96">
        {question.isNear && <LowerParts />}
      </div>
      <LoadMore isWanted={!question.isNear} onNear={question.comeNear} />
    </>
  )
}

/** Whether the condition was ever true: a section that has moved up does not move down again under the pointer. */
function useEverTrue(is: boolean): boolean {
  const [was, setWas] = useState(is)
  if (is && !was) setWas(true)
  return was || is
}
