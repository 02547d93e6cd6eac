'use client'

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTRPC } from '#app/connection/trpc.ts'
import { QueryStanding } from '#app/limits/query-standing.tsx'
import { useAccount } from '#app/shell/session.tsx'
import { Search } from '#app/ui/search.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { History } from './history/history.tsx'
import { figuresBySet } from './live/figures.ts'
import { LiveSign } from './live/live-sign.tsx'
import { Overview } from './live/overview.tsx'
import { useLiveStats } from './live/use-live-stats.ts'
import { overrideAt } from './overrides/in-force.ts'
import { OverrideEditor } from './overrides/override-editor.tsx'
import { type ChosenTarget, chosenOf, nobodyChosen } from './overrides/target-fields.tsx'
import { Procedures } from './rule-sets/procedures.tsx'
import { RuleSets } from './rule-sets/rule-sets.tsx'
import { Subjects } from './subjects/subjects.tsx'
import type { OverrideTarget, RuleSetItem } from './types.ts'

/** Others may change it too. */
const LIST_MS = 15_000

/** What the limiter is told to do, what it does right now, and for superadmins the way to tell it otherwise. */
export function LimitsPage() {
  const { role } = useAccount()
  const trpc = useTRPC()
  const list = useQuery(trpc.limits.list.queryOptions(undefined, { refetchInterval: LIST_MS }))
  const { stats, state, query } = useLiveStats()
  const [search, setSearch] = useState('')
  const [editing, setEditing] = useState<{ set: RuleSetItem; target: ChosenTarget } | null>(null)
  const isBusy = useEverTrue(stats ? stats.nearest.length + stats.mostRefused.length > 0 : false)
  const mayChange = role === 'superadmin'
  const sets = list.data?.ruleSets ?? []
  const edit = (set: RuleSetItem, target: ChosenTarget) => setEditing({ set, target })
  const subjects = stats && <Subjects stats={stats} sets={sets} onEdit={mayChange ? edit : null} />
  return (
    <div className="mx-auto max-w-5xl px-4 sm:px-6">
      <div className="sticky top-14 z-10 -mx-4 mt-3 mb-1 flex flex-wrap items-center gap-x-5 gap-y-2 bg-ground/92 px-4 py-3 backdrop-blur-md sm:-mx-6 sm:px-6">
        <h1 className="text-2xl font-semibold tracking-[-0.02em] max-sm:mr-auto">Limits</h1>
        <Search
          label="Filter rule sets and procedures"
          placeholder="Find a rule set, procedure or route"
          value={search}
          onChange={setSearch}
          className="flex-1 max-sm:order-last max-sm:basis-full"
        />
        <LiveSign state={state} />
      </div>
      {stats ? <Overview stats={stats} /> : query.isPending && <Skeleton className="h-40 w-full" />}
      {!stats && <QueryStanding query={query} />}
      {list.isPending && <Skeleton className="mt-10 h-96 w-full" />}
      <QueryStanding query={list} />
      {list.data && (
        <>
          {isBusy && subjects}
          <RuleSets
            search={search}
            onSearch={setSearch}
            sets={sets}
            figures={figuresBySet(stats?.rows ?? [])}
            onEdit={mayChange ? (set, target) => edit(set, target ? chosenIn(set, target) : firstTarget(set)) : null}
          />
          {!isBusy && subjects}
          <Procedures search={search} procedures={list.data.procedures} labels={stats?.labels ?? []} />
          {mayChange && <History ruleSets={sets.map(({ name }) => name)} />}
        </>
      )}
      {editing && (
        <OverrideEditor
          set={sets.find(({ name }) => name === editing.set.name) ?? editing.set}
          initialTarget={editing.target}
          onClose={() => setEditing(null)}
        />
      )}
    </div>
  )
}

/** Whether it was true at any time: what has gone up does not go down again under the hand. */
function useEverTrue(is: boolean): boolean {
  const [was, setWas] = useState(is)
  if (is && !was) setWas(true)
  return was || is
}

const firstTarget = ({ targets }: RuleSetItem): ChosenTarget => ({ ...nobodyChosen, kind: targets[0] ?? 'all' })

/** The target of an override that there is, with its subject's name. */
function chosenIn(set: RuleSetItem, target: OverrideTarget): ChosenTarget {
  return chosenOf(target, overrideAt(set, target)?.subjectName ?? null)
}
