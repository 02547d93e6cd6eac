import { Fragment, type ReactNode } from 'react'
import { EmptyList } from '#app/ui/empty-list.tsx'
import { SetLink } from '../set-link.tsx'
import type { Stats } from '../types.ts'
import { Counted } from './counted.tsx'

/** A subject at one rule. */
export type Standing = Pick<Stats['nearest'][number], 'subject' | 'argument' | 'key' | 'ruleSet' | 'policy'>

/** A unique key for each row: viewers from whom addresses are hidden get several subjects with the same key. */
export function rowKeys(standings: readonly Standing[]): readonly string[] {
  const seen = new Map<string, number>()
  return standings.map(({ subject, key: counted, ruleSet, policy }) => {
    const key = `${counted ?? subject.key} ${ruleSet} ${policy}`
    const nth = seen.get(key) ?? 0
    seen.set(key, nth + 1)
    return `${key} ${nth}`
  })
}

interface RankingProps<T> {
  title: string
  /** Shown after the title. */
  period: string
  /** Shown instead of an empty list. */
  empty: string
  standings: readonly T[]
  children: (standing: T) => ReactNode
}

/** Subjects in order. */
export function Ranking<T extends Standing>({ title, period, empty, standings, children }: RankingProps<T>) {
  const keys = rowKeys(standings)
  return (
    <div className="min-w-0">
      <h3 className="mb-2 text-sm">
        <span className="font-semibold">{title}</span> <span className="text-ink-soft">{period}</span>
      </h3>
      {standings.length === 0 ? (
        <EmptyList>{empty}</EmptyList>
      ) : (
        <ol
          aria-label={title}
          className="max-h-80 divide-y divide-line overflow-y-auto rounded-lg border border-line bg-surface"
        >
          {standings.map((standing, index) => (
            <Fragment key={keys[index]}>{children(standing)}</Fragment>
          ))}
        </ol>
      )}
    </div>
  )
}

/** One subject with its rule, its figures and its actions. */
export function Rank({ standing, actions, children }: { standing: Standing; actions: ReactNode; children: ReactNode }) {
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 py-2 pr-2 pl-4 text-sm">
      <div className="min-w-0">
        <span className="flex flex-wrap items-center gap-x-2">
          <Counted {...standing} />
          <SetLink name={standing.ruleSet}>{standing.policy}</SetLink>
        </span>
        <span className="figures block text-ink-soft">{children}</span>
      </div>
      {actions}
    </li>
  )
}

/** The used part of a limit, which the figures beside it give as well. */
export function Bar({ part }: { part: number }) {
  return (
    <span
      aria-hidden="true"
      className="h-2 min-w-16 flex-1 overflow-hidden rounded-full bg-sunken ring-1 ring-line ring-inset"
    >
      <span
        className={`block h-full rounded-full ${part >= 1 ? 'bg-gate' : 'bg-water'}`}
        style={{ width: `${part * 100}%` }}
      />
    </span>
  )
}
