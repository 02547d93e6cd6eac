import { createLimiter, type Limiter } from '#server/limits/limiter.ts'
import type { Rule } from '#server/limits/rule-set.ts'
import { compileRuleSets } from '#server/limits/rules/compile.ts'
import type { CompiledRuleSet } from '#server/limits/rules/compiled.ts'
import type { Target } from '../report/figures.ts'
import { type Contender, contender } from './contender.ts'
import { callers } from './subjects.ts'

/** All algorithms that count calls over time. */
export const ALGORITHMS = [
  'fixed-window',
  'token-bucket',
  'leaky-bucket',
  'sliding-window-counter',
  'sliding-window-log',
] as const

export type Algorithm = (typeof ALGORITHMS)[number]

/** One rule of `limit` per minute. */
export function oneRule(algorithm: Algorithm, limit: number): readonly [Rule] {
  return [{ algorithm, limit, window: '1m' }]
}

/** Three rules; the first is the effective one. The others allow ten times as many per hour, a hundred times per day. */
export function threeRules(algorithm: Algorithm, limit: number): readonly [Rule, ...Rule[]] {
  return [
    ...oneRule(algorithm, limit),
    { algorithm, limit: limit * 10, window: '1h' },
    { algorithm, limit: limit * 100, window: '1d' },
  ]
}

/** Three rules with a key each. */
export function mixedRules(limit: number): readonly [Rule, ...Rule[]] {
  return [
    ...oneRule('fixed-window', limit),
    { algorithm: 'token-bucket', limit: limit * 10, window: '1h' },
    { algorithm: 'sliding-window-counter', limit: limit * 100, window: '1d' },
  ]
}

export function setOf(rules: readonly [Rule, ...Rule[]], name = 'bench'): readonly CompiledRuleSet[] {
  return compileRuleSets(name, [{ by: 'user', rules }])
}

/** The limiter over Redis, with a long deadline, because a decision without Redis would make the figure invalid. */
export async function limiterOver(redisUrl: string): Promise<Limiter & AsyncDisposable> {
  const limiter = createLimiter({ redisUrl, deadlineMs: 5_000 })
  await limiter.check()
  return Object.assign(limiter, { [Symbol.asyncDispose]: () => limiter.close() })
}

/** Decisions of this limiter by one set, which must be made by the store. */
export function ours(
  limiter: Limiter,
  {
    name,
    rules,
    target,
  }: { readonly name: string; readonly rules: readonly [Rule, ...Rule[]]; readonly target?: Target | undefined },
): Contender {
  const sets = setOf(rules, name.replaceAll(/[^a-z0-9]+/g, '-'))
  return contender({
    name,
    target,
    call: (subject) => limiter.take(sets, callerAt(subject)),
    isAllowed: ({ allowed, decidedBy }) => {
      if (decidedBy !== 'store') throw new Error(`${name}: decided by '${decidedBy}', so the figure would be invalid`)
      return allowed
    },
  })
}

export function callerAt(subject: number): (typeof callers)[number] {
  const caller = callers[subject]
  if (!caller) throw new Error(`there is no subject ${subject}`)
  return caller
}
