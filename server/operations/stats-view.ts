import type { ShownSubject } from './shown-subject.ts'

interface Counts {
  readonly passed: number
  readonly refused: number
  readonly waited: number
  readonly waitedMs: number
  readonly abandoned: number
  readonly shadowRefused: number
  readonly degraded: number
  readonly free: number
  readonly decidedLocally: number
  readonly decidedByPolicy: number
  readonly decidedFromCache: number
}

interface RuleStats {
  readonly label: string
  readonly ruleSet: string
  readonly policy: string
  readonly total: Counts
  readonly minute: Counts
}

interface LabelStats {
  readonly label: string
  readonly perSecond: number
  readonly passed: readonly number[]
  readonly refused: readonly number[]
}

interface NearLimit {
  readonly subject: ShownSubject
  readonly ruleSet: string
  readonly policy: string
  readonly used: number
  readonly limit: number
  readonly at: number
}

interface RefusedSubject {
  readonly subject: ShownSubject
  readonly ruleSet: string
  readonly policy: string
  readonly refused: number
  readonly lastAt: number
}

/** What the limiter does, over all its processes, with its subjects named. */
export interface StatsView {
  readonly at: number
  readonly processes: number
  readonly rows: readonly RuleStats[]
  readonly labels: readonly LabelStats[]
  readonly nearest: readonly NearLimit[]
  readonly mostRefused: readonly RefusedSubject[]
  readonly store: 'redis' | 'in process'
  readonly status: 'ready' | 'degraded'
}
