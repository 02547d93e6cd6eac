import type { Charge } from '#server/limits/store.ts'
import type { Model, Past } from '../algorithm-model.ts'

/** At most this many leases at a time. Each counts until it ends; taking it again renews it. */
export const concurrency: Model = {
  countedFrom: (_charge, past, now) => timeFor(past, now),
  kept: (charge, past, at) => liveAt(charge, past, at).filter((entry) => readLease(entry.charge) !== readLease(charge)),
  ask: (charge, past, now) => {
    const live = liveAt(charge, past, timeFor(past, now))
    const isOwn = live.some((entry) => readLease(entry.charge) === readLease(charge))
    const ends = live.map((entry) => entry.at + readLength(charge) - now).toSorted((a, b) => a - b)
    return charge.rules.map(({ limit }) => {
      const passesAfter = (wait: number) => liveAt(charge, past, timeFor(past, now + wait)).length < limit
      return {
        remaining: Math.max(0, limit - live.length),
        resetMs: ends[0] ?? 0,
        waitMs: isOwn || passesAfter(0) ? 0 : (ends.find(passesAfter) ?? Number.NaN),
        delayMs: 0,
      }
    })
  },
  refund: (charge, past) => past.filter((entry) => readLease(entry.charge) !== readLease(charge)),
}

function liveAt(charge: Charge, past: readonly Past[], instant: number): readonly Past[] {
  return past.filter((entry) => entry.at + readLength(charge) > instant)
}

function readLength({ rules }: Charge): number {
  return rules[0]?.windowMs ?? Number.NaN
}

function readLease({ rules }: Charge): string {
  const [rule] = rules
  return rule && 'lease' in rule ? rule.lease : ''
}

function timeFor(past: readonly Past[], now: number): number {
  return Math.max(now, past.at(-1)?.at ?? now)
}
