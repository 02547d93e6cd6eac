'use client'

import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { useTRPC } from '#app/connection/trpc.ts'
import { QueryStanding } from '#app/limits/query-standing.tsx'
import { useAccount } from '#app/shell/session.tsx'
import { LoadMore } from '#app/ui/load-more.tsx'
import { Search } from '#app/ui/search.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { useQuestion } from './explain/use-question.ts'
import { figuresBySet } from './live/figures.ts'
import { LiveSign, useLiveStats } from './live/live-stats.tsx'
import { LiveOverview } from './live/overview.tsx'
import { type ChosenTarget, everyoneChosen, toChosenTarget } from './places.ts'
import { Procedures } from './rule-sets/procedures.tsx'
import type { EditedPlace } from './rule-sets/rule-set-detail.tsx'
import { RuleSets } from './rule-sets/rule-sets.tsx'
import { Subjects } from './subjects/subjects.tsx'
import { Transfer } from './transfer/transfer.tsx'
import type { AddedSetItem, RuleSetItem } from './types.ts'

const LowerParts = dynamic(() => import('./lower-parts.tsx').then((module) => module.LowerParts))
const BrokenSets = dynamic(() => import('./added/added-line.tsx').then((module) => module.BrokenSets))
const AddedEditor = dynamic(() => import('./added/added-editor.tsx').then((module) => module.AddedEditor))
const OverrideEditor = dynamic(() => import('./overrides/override-editor.tsx').then((module) => module.OverrideEditor))

/** Other admins may change limits too. */
const POLL_MS = 15_000

/** The declared limits, their live figures and, for superadmins, overrides. */
export function LimitsPage() {
  const t = useTranslations('adminLimits')
  const { role, shared } = useAccount()
  const trpc = useTRPC()
  const list = useQuery(trpc.limits.list.queryOptions(undefined, { refetchInterval: POLL_MS }))
  const { stats, state, query } = useLiveStats()
  const [search, setSearch] = useState('')
  const [editing, setEditing] = useState<{ set: RuleSetItem; target: ChosenTarget } | null>(null)
  const [adding, setAdding] = useState<{ known: AddedSetItem | null; canDegrade: boolean } | null>(null)
  const question = useQuestion()
  const [isNear, setNear] = useState(isAddressed)
  const isBusy = useEverTrue(stats ? stats.nearest.length + stats.mostRefused.length > 0 : false)
  const mayChange = role === 'superadmin'
  const sets = list.data?.ruleSets ?? []
  const edit = (set: RuleSetItem, target: ChosenTarget) => setEditing({ set, target })
  const editAdded = mayChange
    ? (known: AddedSetItem) => {
        const canDegrade = sets.find(({ name }) => name === known.name)?.canDegrade ?? false
        setAdding({ known, canDegrade })
      }
    : null
  /** A call of the first procedure that declares the set. */
  const explain = (ruleSet: string, subject: string, argument: string | null) => {
    const procedure = list.data?.procedures.find(({ ruleSets }) => ruleSets.includes(ruleSet))?.path
    if (procedure !== undefined) question.ask({ procedure, subject, argument: argument ?? '' })
    setNear(true)
    document.getElementById('explain')?.scrollIntoView()
  }
  const subjects = stats && (
    <Subjects stats={stats} sets={sets} onEdit={mayChange ? edit : null} onExplain={shared ? null : explain} />
  )
  return (
    <div className="mx-auto max-w-5xl px-4 sm:px-6">
      <div className="sticky top-14 z-10 -mx-4 mt-3 mb-1 flex flex-wrap items-center gap-x-5 gap-y-2 bg-ground/92 px-4 py-3 backdrop-blur-md sm:-mx-6 sm:px-6">
        <h1 className="text-2xl font-semibold tracking-[-0.02em] max-sm:mr-auto">{t('title')}</h1>
        <Search
          label={t('search')}
          placeholder={t('searchPlaceholder')}
          value={search}
          onChange={setSearch}
          className="flex-1 max-sm:order-last max-sm:basis-full"
        />
        <LiveSign state={state} />
      </div>
      {stats ? <LiveOverview stats={stats} /> : query.isPending && <Skeleton className="h-40 w-full" />}
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
            added={list.data.added}
            onEditAdded={editAdded}
            figures={figuresBySet(stats?.rows ?? [])}
            trials={stats?.trials ?? []}
            onEdit={mayChange ? (set, place) => edit(set, place ? existingTarget(place) : firstTarget(set)) : null}
          />
          {mayChange && <Transfer onAdd={() => setAdding({ known: null, canDegrade: false })} />}
          {list.data.added.some(({ problem }) => problem) && <BrokenSets added={list.data.added} onEdit={editAdded} />}
          {!isBusy && subjects}
          <Procedures search={search} procedures={list.data.procedures} labels={stats?.labels ?? []} />
          <div id="explain" className="min-h-96 scroll-mt-24">
            {isNear ? (
              <LowerParts list={list.data} question={question} />
            ) : (
              <LoadMore isWanted onNear={() => setNear(true)} />
            )}
          </div>
        </>
      )}
      {adding && <AddedEditor procedures={list.data?.procedures ?? []} {...adding} onClose={() => setAdding(null)} />}
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

/** Whether the page's address asks for something of its lower parts. */
const isAddressed = (): boolean =>
  typeof window !== 'undefined' && /[?&](explain|refusal)=/.test(window.location.search)

/** Whether the condition was ever true: a section that has moved up does not move down again under the pointer. */
function useEverTrue(is: boolean): boolean {
  const [was, setWas] = useState(is)
  if (is && !was) setWas(true)
  return was || is
}

const firstTarget = ({ targets }: RuleSetItem): ChosenTarget => ({ ...everyoneChosen, kind: targets[0] ?? 'all' })

/** The place of an existing override, with its subject's name; or of a trial. */
const existingTarget = ({ target, subjectName = null, procedure }: EditedPlace): ChosenTarget =>
  toChosenTarget(target, subjectName, procedure)
