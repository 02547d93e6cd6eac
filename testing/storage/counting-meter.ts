import { setImmediate } from 'node:timers/promises'
import { BudgetSpent, type Meter } from '#server/storage/meter.ts'
import { payerNow } from '#server/storage/payer.ts'

/** What was allowed and transferred. */
export interface MeterCounts {
  writes: number
  reads: number
  deletes: number
  in: number
  out: number
}

/** A meter in memory, with its counts and its limits. Each decision takes one turn of the event loop. */
export interface CountingMeter extends Meter {
  readonly counts: MeterCounts
  /** The same by paying procedure. */
  readonly by: Readonly<Record<string, MeterCounts>>
  /** Bytes that are reserved and neither transferred nor refunded. */
  readonly held: { in: number; out: number }
  /** The most of each that may be counted and held; unlimited if not named here. */
  limits: Partial<MeterCounts>
}

export function createCountingMeter(): CountingMeter {
  const by: Record<string, MeterCounts> = {}
  const meter: CountingMeter = {
    counts: none(),
    by,
    held: { in: 0, out: 0 },
    limits: {},
    async request(kind) {
      const count = counter(kind)
      await setImmediate()
      if (kind !== 'deletes') check(kind, 1)
      count(1)
    },
    async reserve(direction, bytes) {
      const count = counter(direction)
      await setImmediate()
      if (bytes > 0) check(direction, bytes + meter.held[direction])
      let left = bytes
      meter.held[direction] += left
      const shrink = (by: number) => {
        meter.held[direction] -= by
        left -= by
      }
      return {
        moved(moved) {
          count(moved)
          shrink(Math.min(moved, left))
        },
        end: () => shrink(left),
      }
    },
  }

  /** The payer is known when the meter is asked. */
  function counter(unit: keyof MeterCounts): (more: number) => void {
    const { procedure } = payerNow()
    by[procedure] ??= none()
    const own = by[procedure]
    return (more) => {
      own[unit] += more
      meter.counts[unit] += more
    }
  }

  function check(unit: keyof MeterCounts, more: number): void {
    const limit = meter.limits[unit] ?? Number.POSITIVE_INFINITY
    if (meter.counts[unit] + more > limit) throw new BudgetSpent(`No ${unit} are left`, null)
  }
  return meter
}

const none = (): MeterCounts => ({ writes: 0, reads: 0, deletes: 0, in: 0, out: 0 })
