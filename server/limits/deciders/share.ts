import type { Algorithm, BaseRule, Bucket } from '../rules/compiled.ts'
import type { Charge, ChargeOf } from '../store.ts'

/** Of a bucket's scale: below 2^35 a level can be converted to it exactly (algorithms/bucket-level.ts). */
const MOST_SCALE = 2 ** 35 - 1

/** The charge under the part of its limits that one of `processes` holds alone while they share no store. A limit is
 *  rounded down, but is at least 1 and at least the charge's cost, or it could never pass; a bucket's rate is divided
 *  exactly. So all of them let at most `processes * max(cost, floor(limit / processes))` pass in a window, which is no more
 *  than the limit or, where that is more, `processes * cost`; a bucket so much, and what it gains meanwhile. */
export function shareOf(charge: Charge, processes: number): Charge {
  if (processes <= 1) return charge
  switch (charge.algorithm) {
    case 'sliding-window-log':
      return withShares(charge, processes)
    case 'fixed-window':
      return withShares(charge, processes)
    case 'sliding-window-counter':
      return withShares(charge, processes)
    case 'leaky-bucket':
      return withShares(charge, processes)
    case 'token-bucket':
      return withShares(charge, processes)
    case 'concurrency':
      return withShares(charge, processes)
  }
}

function withShares<A extends Algorithm>(charge: ChargeOf<A>, processes: number): ChargeOf<A> {
  const { rules, cost } = charge
  return { ...charge, rules: rules.map((rule) => ruleShare(rule, processes, Math.max(1, cost))) }
}

function ruleShare<R extends BaseRule>(rule: R, processes: number, least: number): R {
  // A cost may be above the limit of what refuses nothing.
  const limit = Math.min(rule.limit, Math.max(least, Math.floor(rule.limit / processes)))
  return isBucket(rule) ? { ...rule, limit, ...rateShare(rule, limit, processes) } : { ...rule, limit }
}

/** As many times the units of a permit, of which as many leak. Where those are too many to be counted exactly, as of odd
 *  limits in windows of months, both are fewer, and the rate a little less. */
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
