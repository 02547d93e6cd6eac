import type { Limiter } from '#server/limits/limiter.ts'
import type { Counts, RuleStats } from '#server/limits/stats/limiter-stats.ts'
import type { Sample } from '../exposition.ts'
import type { ReadValues } from '../metrics.ts'

type Names = readonly (readonly [keyof Counts, string])[]

/** The outcomes of a call at a rule, which exclude each other. */
const OUTCOMES: Names = [
  ['passed', 'passed'],
  ['refused', 'refused'],
  ['shadowRefused', 'shadow_refused'],
  ['degraded', 'degraded'],
  ['abandoned', 'abandoned'],
  ['free', 'free'],
]

/** Who decided in place of the store. */
const DECIDERS: Names = [
  ['decidedLocally', 'process'],
  ['decidedByPolicy', 'policy'],
  ['decidedFromCache', 'cache'],
]

/** Returns the decisions of this process's limiter, for Prometheus to sum over processes. Labels are names in code, never
 *  subjects, so that the number of series is bounded. */
export function readLimiter(limiter: Pick<Limiter, 'ownStats' | 'status' | 'fleet'>): ReadValues {
  const { rows } = limiter.ownStats()
  return {
    sluice_limit_decisions_total: rows.flatMap((row) => toSamples(row, 'outcome', OUTCOMES)),
    sluice_limit_decisions_without_store_total: rows.flatMap((row) => toSamples(row, 'by', DECIDERS)),
    sluice_limit_waits_total: happened(rows, ({ waited }) => waited),
    sluice_limit_wait_seconds_total: happened(rows, ({ waitedMs }) => waitedMs / 1_000),
    sluice_limit_penalty_points_total: happened(rows, ({ penaltyPoints }) => penaltyPoints),
    sluice_limit_store_up: [{ value: limiter.status() === 'ready' ? 1 : 0 }],
    sluice_limit_processes: [{ value: limiter.fleet.size }],
  }
}

/** Outcomes that have never happened have no series, except 'passed' and 'refused', which start at 0. */
function toSamples({ total, ...row }: RuleStats, label: string, names: Names): Sample[] {
  return names
    .map(([count, name]) => ({ labels: { ...toLabels(row), [label]: name }, value: total[count] }))
    .filter(({ labels, value }) => value > 0 || labels[label] === 'passed' || labels[label] === 'refused')
}

/** What has never happened has no series. */
function happened(rows: readonly RuleStats[], read: (counts: Counts) => number): Sample[] {
  return rows
    .map(({ total, ...row }) => ({ labels: toLabels(row), value: read(total) }))
    .filter(({ value }) => value > 0)
}

function toLabels({ label, ruleSet, policy }: Pick<RuleStats, 'label' | 'ruleSet' | 'policy'>): Record<string, string> {
  return { procedure: label, rule_set: ruleSet, policy }
}
