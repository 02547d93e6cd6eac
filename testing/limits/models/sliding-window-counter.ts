import { chargeFor } from '#server/limits/algorithms/ledger.ts'
import type { SampledWindow } from '#server/limits/rules/compiled.ts'
import type { Charge, RuleAnswer } from '#server/limits/store.ts'
import type { Model, Past } from '../algorithm-model.ts'

/** A refund is a negative charge, so that the past contains everything in order. */
export const slidingWindowCounter: Model = {
  countedFrom: (_charge, _past, now) => now,
  refund: (charge, past, _now, at) => [...past, { at, cost: -charge.cost, charge }],
  ask: (charge, past, now, cost) => readRules(charge).map((rule, i) => answer(rule, replayCounts(past, i), now, cost)),
}

function readRules(charge: Charge): readonly SampledWindow[] {
  return chargeFor('sliding-window-counter', charge).rules
}

function answer(rule: SampledWindow, counts: Counts, now: number, cost: number): RuleAnswer {
  const used = usedAt(rule, counts, now)
  const end = timeFor(rule, counts, now) + 2 * rule.windowMs
  const waitFor = (target: number) => firstInstant(now, end, (at) => usedAt(rule, counts, at) <= target) - now
  return {
    remaining: Math.max(0, rule.limit - used),
    resetMs: used === 0 ? 0 : waitFor(used - 1),
    waitMs: used + cost <= rule.limit ? 0 : waitFor(rule.limit - cost),
    delayMs: 0,
  }
}

/** Permits by sub-window number. */
type Counts = ReadonlyMap<number, number>

/** Returns what a rule has counted by replaying its past. */
function replayCounts(past: readonly Past[], position: number): Counts {
  let counts = new Map<number, number>()
  for (const { at, cost, charge } of past) {
    const rule = readRules(charge)[position]
    if (!rule) throw new Error(`no rule ${position}`)
    const sampleMs = rule.windowMs / rule.samples
    if (cost > 0) {
      const index = Math.floor(timeFor(rule, counts, at) / sampleMs)
      counts = new Map([...counts].filter(([each]) => each >= index - rule.samples))
      counts.set(index, (counts.get(index) ?? 0) + cost)
    } else {
      const index = Math.floor(at / sampleMs)
      const left = (counts.get(index) ?? 0) + cost
      if (left > 0) counts.set(index, left)
      else counts.delete(index)
    }
  }
  return counts
}

/** Each sub-window is weighted by the part of it within the last `windowMs`, except for the newest, which counts whole from its first
 *  millisecond. Numbers in tests are too small to need rounding. */
function usedAt(rule: SampledWindow, counts: Counts, now: number): number {
  const { windowMs, samples, isWhole } = rule
  const sampleMs = windowMs / samples
  const from = timeFor(rule, counts, now) - windowMs
  return [...counts].reduce((sum, [index, count]) => {
    const insideMs = Math.min(sampleMs, Math.max(0, (index + 1) * sampleMs - from))
    if (isWhole) return insideMs > 0 ? sum + count : sum
    return sum + Math.ceil((count * insideMs) / sampleMs)
  }, 0)
}

function timeFor({ windowMs, samples }: SampledWindow, counts: Counts, now: number): number {
  return Math.max(now, ...[...counts.keys()].map((index) => (index * windowMs) / samples))
}

/** Binary search: once the condition holds it stays true, because usage only falls without further charges. */
function firstInstant(from: number, to: number, holds: (at: number) => boolean): number {
  let [low, high] = [from, to]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}
