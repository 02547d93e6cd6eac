import type { Bucket, LeakyBucket } from '#server/limits/rules/compiled.ts'
import type { Charge } from '#server/limits/store.ts'
import type { Model, Past } from '../algorithm-model.ts'

/** The levels of a key's buckets at the time of its last charge. */
interface Levels {
  readonly at: number
  /** The first instant whose charges can be refunded. */
  readonly since: number
  /** In units; a permit has `scale` units. */
  readonly units: readonly bigint[]
  readonly scales: readonly bigint[]
}

/** Replays everything that was poured in, in unbounded integers, leaking at the rate of the next charge. */
export const bucket: Model = {
  countedFrom: (_charge, past, now) => timeFor(past, now),
  ask: (charge, past, now, cost) => {
    const last = convertUnits(charge, replay(past))
    return readBuckets(charge).map((rule, i) => {
      const { limit, scale, leak, maxDelayMs } = exactly(rule)
      const levelAfter = (wait: number) =>
        leaked(rule, last?.units[i] ?? 0n, timeFor(past, now + wait) - (last?.at ?? 0))
      const remainingAfter = (wait: number) => positive(limit - levelAfter(wait)) / scale
      // A call at that time leaves when everything before it has leaked.
      const delayAfter = (wait: number) =>
        Number(ceilDiv(levelAfter(wait), leak)) + timeFor(past, now + wait) - (now + wait)
      const most = limit - BigInt(cost) * scale
      const passesAfter = (wait: number) =>
        levelAfter(wait) <= most && (maxDelayMs < 0 || delayAfter(wait) <= maxDelayMs)
      const isMoreAfter = (wait: number) => remainingAfter(wait) > remainingAfter(0)
      const timeUntil = (level: bigint) => Number(ceilDiv(levelAfter(0) - level, leak)) + timeFor(past, now) - now
      const roomMs = levelAfter(0) <= most ? 0 : timeUntil(most)
      const turnMs = maxDelayMs < 0 ? 0 : delayAfter(0) - maxDelayMs
      const waitMs = passesAfter(0) ? 0 : least(Math.max(roomMs, turnMs), passesAfter)
      return {
        remaining: Number(remainingAfter(0)),
        resetMs: levelAfter(0) === 0n ? 0 : least(timeUntil(limit - (remainingAfter(0) + 1n) * scale), isMoreAfter),
        waitMs,
        delayMs: maxDelayMs >= 0 && waitMs === 0 ? delayAfter(0) : 0,
      }
    })
  },
  refund: (charge, past, now, at) => {
    const last = convertUnits(charge, replay(past))
    if (!last || at < last.since) return past
    const refundedAfterMs = Math.max(0, timeFor(past, now) - at)
    const left = [...past, { at: last.at, cost: charge.cost, charge, refundedAfterMs }]
    return replay(left)?.units.every((units) => units === 0n) ? [] : left
  },
}

function replay(past: readonly Past[]): Levels | null {
  return past.reduce<Levels | null>((before, { at, cost, charge, refundedAfterMs }) => {
    const rules = readBuckets(charge)
    const last = convertUnits(charge, before) ?? { at, since: at, units: rules.map(() => 0n), scales: [] }
    const units = rules.map((rule, i) => {
      const poured = BigInt(cost) * BigInt(rule.scale)
      const level = last.units[i] ?? 0n
      if (refundedAfterMs === undefined) return leaked(rule, level, at - last.at) + poured
      return positive(level - leaked(rule, poured, refundedAfterMs))
    })
    return withoutOverflow(rules, { ...last, at, units })
  }, null)
}

/** A level is converted to other units when the limit changes. */
function convertUnits(charge: Charge, levels: Levels | null): Levels | null {
  if (!levels) return null
  const rules = readBuckets(charge)
  const units = rules.map(({ scale }, i) => ceilDiv((levels.units[i] ?? 0n) * BigInt(scale), levels.scales[i] ?? 1n))
  return withoutOverflow(rules, { ...levels, units })
}

/** A bucket holds at most twice its capacity. After an overflow, earlier charges cannot be refunded. */
function withoutOverflow(rules: readonly Bucket[], { at, since, units }: Levels): Levels {
  const brims = rules.map((rule) => 2n * exactly(rule).limit)
  return {
    at,
    since: brims.some((brim, i) => (units[i] ?? 0n) >= brim) ? at + 1 : since,
    units: brims.map((brim, i) => ((units[i] ?? 0n) < brim ? (units[i] ?? 0n) : brim)),
    scales: rules.map(({ scale }) => BigInt(scale)),
  }
}

function readBuckets(charge: Charge): readonly (Bucket | LeakyBucket)[] {
  if (charge.algorithm === 'leaky-bucket' || charge.algorithm === 'token-bucket') return charge.rules
  throw new TypeError(`no bucket: ${charge.algorithm}`)
}

/** The capacity in units, units per permit, units leaked per millisecond, and the longest delay of a call. */
function exactly(rule: Bucket | LeakyBucket) {
  return {
    limit: BigInt(rule.limit) * BigInt(rule.scale),
    scale: BigInt(rule.scale),
    leak: BigInt(rule.leak),
    maxDelayMs: 'maxDelayMs' in rule ? rule.maxDelayMs : -1,
  }
}

function leaked({ leak }: Bucket, level: bigint, ms: number): bigint {
  return positive(level - BigInt(leak) * BigInt(ms))
}

function timeFor(past: readonly Past[], now: number): number {
  return Math.max(now, past.at(-1)?.at ?? now)
}

/** Returns a computed value if it is the smallest for which the condition holds, otherwise NaN. */
function least(reckoned: number, holds: (n: number) => boolean): number {
  return holds(reckoned) && !holds(reckoned - 1) ? reckoned : Number.NaN
}

function ceilDiv(a: bigint, b: bigint): bigint {
  return (a + b - 1n) / b
}

function positive(n: bigint): bigint {
  return n < 0n ? 0n : n
}
