/** The outcomes of calls at one rule. */
export interface Counts {
  /** Calls that the rule allowed, with or without a wait. */
  readonly passed: number
  /** Calls that it refused. When several rules refuse, the one with the longest wait counts. */
  readonly refused: number
  /** Calls that were allowed, but that it would have refused if it were not in shadow mode. */
  readonly shadowRefused: number
  /** Calls that were allowed with a cheaper answer. */
  readonly degraded: number
  /** Calls that waited for it, whatever their outcome, and the total wait. */
  readonly waited: number
  readonly waitedMs: number
  /** Calls that ended before they were decided. */
  readonly abandoned: number
  /** Calls of exempt callers. */
  readonly free: number
  /** Calls decided in process, because the store failed. */
  readonly decidedLocally: number
  /** Permits beyond their cost that abusive calls were charged. */
  readonly penaltyPoints: number
  /** Calls decided by `onStoreFailure` alone. */
  readonly decidedByPolicy: number
  /** Calls refused in process, because the store had refused the subject before. */
  readonly decidedFromCache: number
}

/** What one rule has decided for one procedure. */
export interface RuleStats {
  /** The procedure or route; the rule set for calls without a label. */
  readonly label: string
  readonly ruleSet: string
  readonly policy: string
  /** Since each process began. */
  readonly total: Counts
  /** In the last 60 whole seconds. */
  readonly minute: Counts
}

/** The calls of one procedure, each counted once however many rules it had. Exempt callers count as allowed. */
export interface LabelStats {
  readonly label: string
  /** The mean of the last five whole seconds. */
  readonly perSecond: number
  /** In each of the last 60 whole seconds, the oldest first. */
  readonly passed: readonly number[]
  readonly refused: readonly number[]
}

/** What rules in trial would have refused. */
export interface TrialStats {
  /** The set that they are tried beside, in all procedures that share it. */
  readonly ruleSet: string
  /** Tells one version of the trial from the next. */
  readonly version: string
  /** When the first of the live processes began to count, in milliseconds since 1970. */
  readonly since: number
  /** When the last of them did: from then on the figures are exact. A process that has restarted begins anew. */
  readonly wholeSince: number
  /** Calls that the rules in force allowed, and those of them that the rules in trial would have refused. */
  readonly asked: number
  readonly refused: number
}

/** A subject at one rule. */
interface SubjectOfRule {
  /** The text in the key's braces. */
  readonly subject: string
  readonly ruleSet: string
  readonly policy: string
  /** The key that counts it. Absent from a process of an earlier version, as is the next. */
  readonly key?: string | undefined
  /** The value of the argument that it counts; absent for none, or a long one. */
  readonly argument?: string | undefined
}

/** The usage of a subject after its last call that left at most half of a limit. */
export interface NearLimit extends SubjectOfRule {
  readonly used: number
  readonly limit: number
  /** Milliseconds since 1970. */
  readonly at: number
}

/** How often one rule has refused a subject in about the last hour. */
export interface RefusedSubject extends SubjectOfRule {
  readonly refused: number
  /** Milliseconds since 1970. */
  readonly lastAt: number
}

/** The statistics of the limiter, in one process or in all that share its store. */
export interface LimiterStats {
  /** Milliseconds since 1970. */
  readonly at: number
  /** How many processes are included. */
  readonly processes: number
  /** By label, then by policy. */
  readonly rows: readonly RuleStats[]
  /** By label. */
  readonly labels: readonly LabelStats[]
  /** In the last minute, the fullest first; at most 20. */
  readonly nearest: readonly NearLimit[]
  /** The most refused first; at most 20. */
  readonly mostRefused: readonly RefusedSubject[]
  /** By set. */
  readonly trials: readonly TrialStats[]
}
