import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl/react'
import type { Stats } from '../types.ts'
import { subjectText } from './subject-text.ts'

/** A subject at one rule. */
export type Standing = Pick<Stats['nearest'][number], 'subject' | 'ruleSet' | 'policy'>

interface RankingProps {
  title: string
  /** Shown after the title. */
  period: string
  /** Shown instead of an empty list. */
  empty: string
  children: readonly ReactNode[]
}

/** Subjects in order. */
export function Ranking({ title, period, empty, children }: RankingProps) {
  return (
    <div className="min-w-0">
      <h3 className="mb-2 text-sm">
        <span className="font-semibold">{title}</span> <span className="text-ink-soft">{period}</span>
      </h3>
      {children.length === 0 ? (
        <p className="rounded-lg border border-line border-dashed px-4 py-6 text-center text-sm text-ink-soft">
          {empty}
        </p>
      ) : (
        <ol
          aria-label={title}
          className="max-h-80 divide-y divide-line overflow-y-auto rounded-lg border border-line bg-surface"
        >
          {children}
        </ol>
      )}
    </div>
  )
}

/** One subject with its rule, its figures and its actions. */
export function Rank({ standing, actions, children }: { standing: Standing; actions: ReactNode; children: ReactNode }) {
  const t = useTranslations('adminLimits')
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 py-2 pr-2 pl-4 text-sm">
      <p className="min-w-0">
        <span className="flex flex-wrap items-baseline gap-x-2">
          <span className="font-medium break-all">{subjectText(t, standing.subject)}</span>
          <a href={`#set-${standing.ruleSet}`} className="rounded-sm text-water hover:underline">
            {standing.policy}
          </a>
        </span>
        <span className="figures block text-ink-soft">{children}</span>
      </p>
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
