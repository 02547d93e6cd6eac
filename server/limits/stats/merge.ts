import { countsOf } from './count-order.ts'
import { RECENT_SECONDS } from './label-counter.ts'
import type { LabelStats, LimiterStats, NearLimit, RefusedSubject, RuleStats, TrialStats } from './limiter-stats.ts'
import { SECONDS } from './ring-window.ts'
import type { Snapshot } from './snapshot.ts'
import { byFullness, byRefusals, SUBJECTS } from './subject-lists.ts'

const WHOLE_MINUTE: readonly number[] = Array<number>(SECONDS).fill(0)

/** Merges the snapshots of several processes as if they were one process. The seconds of each end with its own
 *  snapshot, a beat earlier or later than those of another. */
export function merged(snapshots: readonly Snapshot[], at: number): LimiterStats {
  return {
    at,
    processes: snapshots.length,
    rows: grouped(
      snapshots.flatMap(({ rows }) => rows),
      ({ label, policy }) => [label, policy],
    ).map(rowOf),
    labels: grouped(
      snapshots.flatMap(({ labels }) => labels),
      ({ label }) => [label],
    ).map(labelOf),
    nearest: grouped(
      snapshots.flatMap(({ nearest }) => nearest),
      bySubject,
    )
      .map(freshest)
      .toSorted(byFullness)
      .slice(0, SUBJECTS),
    mostRefused: grouped(
      snapshots.flatMap(({ mostRefused }) => mostRefused),
      bySubject,
    )
      .map(refusedInAll)
      .toSorted(byRefusals)
      .slice(0, SUBJECTS),
    trials: grouped(
      snapshots.flatMap(({ trials }) => trials),
      ({ ruleSet, version }) => [ruleSet, version],
    ).map(trialOf),
  }
}

/** At least one. */
type Group<T> = readonly [T, ...T[]]

/** Groups items of the same name, sorted by name. */
function grouped<T>(all: readonly T[], nameOf: (one: T) => readonly string[]): Group<T>[] {
  const groups = new Map<string, [T, ...T[]]>()
  for (const one of all) {
    const name = JSON.stringify(nameOf(one))
    const group = groups.get(name)
    if (group) group.push(one)
    else groups.set(name, [one])
  }
  return [...groups].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group)
}

function bySubject({ subject, ruleSet, policy, key = '' }: NearLimit | RefusedSubject): readonly string[] {
  return [policy, ruleSet, subject, key]
}

function trialOf(all: Group<Snapshot['trials'][number]>): TrialStats {
  const [{ ruleSet, version }] = all
  const [asked = 0, refused = 0] = sums(all.map((one) => [one.asked, one.refused]))
  const begun = all.map(({ since }) => since)
  return { ruleSet, version, since: Math.min(...begun), wholeSince: Math.max(...begun), asked, refused }
}

function rowOf(rows: Group<Snapshot['rows'][number]>): RuleStats {
  const [{ label, ruleSet, policy }] = rows
  const total = countsOf(sums(rows.map((row) => row.total)))
  return { label, ruleSet, policy, total, minute: countsOf(sums(rows.map((row) => row.minute))) }
}

function labelOf(all: Group<Snapshot['labels'][number]>): LabelStats {
  const passed = sums([WHOLE_MINUTE, ...all.map((one) => one.passed)])
  const refused = sums([WHOLE_MINUTE, ...all.map((one) => one.refused)])
  const recent = [...passed.slice(-RECENT_SECONDS), ...refused.slice(-RECENT_SECONDS)]
  const perSecond = recent.reduce((sum, calls) => sum + calls, 0) / RECENT_SECONDS
  return { label: all[0].label, perSecond, passed, refused }
}

/** All processes see the same counters, so the latest reading is the right one. */
function freshest(all: Group<NearLimit>): NearLimit {
  return all.reduce((a, b) => (b.at > a.at || (b.at === a.at && b.used > a.used) ? b : a))
}

function refusedInAll(all: Group<RefusedSubject>): RefusedSubject {
  const refused = all.reduce((sum, one) => sum + one.refused, 0)
  return { ...all[0], refused, lastAt: Math.max(...all.map(({ lastAt }) => lastAt)) }
}

/** Adds the lists element by element; missing elements are 0. */
function sums(lists: readonly (readonly number[])[]): number[] {
  const longest = Math.max(...lists.map(({ length }) => length))
  return Array.from({ length: longest }, (_, index) => lists.reduce((sum, list) => sum + (list[index] ?? 0), 0))
}
