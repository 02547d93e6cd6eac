import type { Limiter } from '#server/limits/limiter.ts'
import type { Counts, RuleStats } from '#server/limits/stats/limiter-stats.ts'
import type { Metric, Sample } from './exposition.ts'

type Names = readonly (readonly [keyof Counts, string])[]

/** What became of a call at a rule: one of these. */
const OUTCOMES: Names = [
  ['passed', 'passed'],
  ['refused', 'refused'],
  ['shadowRefused', 'shadow_refused'],
  ['degraded', 'degraded'],
  ['abandoned', 'abandoned'],
  ['free', 'free'],
]

/** Who decided, where it was not the store. */
const DECIDERS: Names = [
  ['decidedLocally', 'process'],
  ['decidedByPolicy', 'policy'],
  ['decidedFromCache', 'cache'],
]

/** What the limiter of this process has decided, for Prometheus to sum over processes. Labels are names in code alone:
 *  no subject is ever one. */
export function limiterMetrics(limiter: Pick<Limiter, 'ownStats' | 'status' | 'fleet'>): readonly Metric[] {
  const { rows } = limiter.ownStats()
  return [
    {
      name: 'sluice_limit_decisions_total',
      help: 'Calls by what became of them at a rule.',
      type: 'counter',
      samples: rows.flatMap((row) => samplesOf(row, 'outcome', OUTCOMES)),
    },
    {
      name: 'sluice_limit_decisions_without_store_total',
      help: 'Those of them that this process decided without asking the store, by what decided.',
      type: 'counter',
      samples: rows.flatMap((row) => samplesOf(row, 'by', DECIDERS)),
    },
    {
      name: 'sluice_limit_waits_total',
      help: 'Calls that waited for a permit of a rule.',
      type: 'counter',
      samples: waited(rows, ({ waited }) => waited),
    },
    {
      name: 'sluice_limit_wait_seconds_total',
      help: 'How long they waited in all, in seconds.',
      type: 'counter',
      samples: waited(rows, ({ waitedMs }) => waitedMs / 1_000),
    },
    {
      name: 'sluice_limit_store_up',
      help: 'Whether the store of the limiter answers.',
      type: 'gauge',
      samples: [{ value: limiter.status() === 'ready' ? 1 : 0 }],
    },
    {
      name: 'sluice_limit_processes',
      help: 'Processes that share the store of the limiter.',
      type: 'gauge',
      samples: [{ value: limiter.fleet.size }],
    },
  ]
}

/** What never happened at a rule has no series, but passing and being refused have theirs from the first call. */
function samplesOf({ total, ...row }: RuleStats, label: string, names: Names): Sample[] {
  return names
    .map(([count, name]) => ({ labels: { ...labelsOf(row), [label]: name }, value: total[count] }))
    .filter(({ labels, value }) => value > 0 || labels[label] === 'passed' || labels[label] === 'refused')
}

function waited(rows: readonly RuleStats[], read: (counts: Counts) => number): Sample[] {
  return rows
    .filter(({ total }) => total.waited > 0)
    .map(({ total, ...row }) => ({ labels: labelsOf(row), value: read(total) }))
}

function labelsOf({ label, ruleSet, policy }: Pick<RuleStats, 'label' | 'ruleSet' | 'policy'>): Record<string, string> {
  return { procedure: label, rule_set: ruleSet, policy }
}
