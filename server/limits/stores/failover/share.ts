import type { Algorithm, BaseRule, Bucket } from '../../rules/compiled.ts'
import type { Charge } from '../../store.ts'

/** The largest scale of a bucket: below 2^35 a level can be converted to it exactly (algorithms/bucket-level.ts). */
const MOST_SCALE = 2 ** 35 - 1

/** The charge under this process's share of its limits, for `processes` that share no store in the meantime. A limit is
 *  rounded down, but to no less than 1 and no less than the charge's cost, which could never pass otherwise; a bucket's
 *  rate is divided exactly. So all processes together admit at most `processes * max(cost, floor(limit / processes))`
 *  in a window: no more than the limit or, where that is larger, `processes * cost`. Buckets admit as much, and what
 *  they gain in the meantime. */
export function shareOf(charge: Charge, processes: number): Charge {
  return processes <= 1 ? charge : withShares(charge, processes)
}

function withShares<A extends Algorithm>(charge: Charge<A>, processes: number): Charge<A> {
  const { rules, cost } = charge
  return { ...charge, rules: rules.map((rule) => ruleShare(rule, processes, Math.max(1, cost))) }
}

function ruleShare<R extends BaseRule>(rule: R, processes: number, least: number): R {
  // Never more than the limit: in shadow and degrade mode a cost may exceed it.
  const limit = Math.min(rule.limit, Math.max(least, Math.floor(rule.limit / processes)))
  return isBucket(rule) ? { ...rule, limit, ...rateShare(rule, limit, processes) } : { ...rule, limit }
}

/** Divides a bucket's rate by multiplying the units of a permit and leaking as many as before. Where that would exceed
 *  exact integers, as for odd limits over months, units and leak are made coarser, and the rate a little lower. */
function rateShare({ leak, scale }: Bucket, limit: number, processes: number): Pick<Bucket, 'leak' | 'scale'> {
  const most = Math.min(MOST_SCALE, Math.floor(Number.MAX_SAFE_INTEGER / (2 * limit)))
  const coarser = Math.ceil((scale * processes) / most)
  return {
    leak: Math.max(1, Math.floor(leak / coarser)),
    scale: Math.min(most, Math.ceil((scale * processes) / coarser)),
  }
}

function isBucket(rule: BaseRule): rule is Bucket {
  return 'leak' in rule && 'scale' in rule
}
