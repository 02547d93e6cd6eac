import { z } from 'zod'
import type { TrialCounts } from '../rules/compiled.ts'
import { CALLS, type LabelCounter } from './label-counter.ts'
import { SECONDS } from './ring-window.ts'
import { SUBJECTS } from './subject-lists.ts'

/** The most rows read from one process: there are as many as procedures have rules, and those are written in code. */
const ROWS = 5_000

/** The version of the schema below. A snapshot of another version is rejected. */
const VERSION = 1

const count = z.number().nonnegative()
const name = z.string().max(200)
const counts = z.array(count).max(SECONDS)
const subject = {
  ...{ subject: name, ruleSet: name, policy: name },
  key: z.string().max(500).optional(),
  argument: z.string().max(64).optional(),
}

/** The statistics that one process publishes to the others. Counts are in their fixed order (count-order.ts), seconds
 *  the oldest first; zeros at the end of either are left out. */
const schema = z.object({
  version: z.literal(VERSION),
  /** Milliseconds since 1970, by the process's own date. */
  at: count,
  rows: z.array(z.object({ label: name, ruleSet: name, policy: name, total: counts, minute: counts })).max(ROWS),
  labels: z.array(z.object({ label: name, passed: counts, refused: counts })).max(ROWS),
  nearest: z.array(z.object({ ...subject, used: count, limit: count, at: count })).max(SUBJECTS),
  mostRefused: z.array(z.object({ ...subject, refused: count, lastAt: count })).max(SUBJECTS),
  trials: z
    .array(z.object({ ruleSet: name, version: name, since: count, asked: count, refused: count }))
    .max(ROWS)
    .default([]),
})

export type Snapshot = z.infer<typeof schema>

/** Builds the snapshot from the counters up to `second`. */
export function snapshotOf(
  second: number,
  labels: readonly LabelCounter[],
  lists: Pick<Snapshot, 'at' | 'nearest' | 'mostRefused'> & { readonly trials: readonly TrialCounts[] },
): Snapshot {
  return {
    ...lists,
    trials: lists.trials.map((trial) => ({ ...trial })),
    version: VERSION,
    rows: labels.flatMap(({ label, rules }) =>
      [...rules.values()].map(({ ruleSet, policy, ring }) => {
        return { label, ruleSet, policy, total: trimmed(ring.total()), minute: trimmed(ring.minute(second)) }
      }),
    ),
    labels: labels.map(({ label, calls }) => ({
      label,
      passed: trimmed(calls.seconds(second, CALLS.passed)),
      refused: trimmed(calls.seconds(second, CALLS.refused)),
    })),
  }
}

/** Parses a snapshot of another process. Returns null when it is not a snapshot of this version. */
export function readSnapshot(text: string): Snapshot | null {
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

function trimmed(numbers: number[]): number[] {
  return numbers.slice(0, numbers.findLastIndex((number) => number > 0) + 1)
}
