import type { Algorithm, RuleOf } from '../rules/compiled.ts'
import type { Charge, Operation } from './store.ts'

/** What a fragment in lua/ reads of a rule, in its order; the fragment's header says the same. A list goes behind its
 *  length, a truth as 1 or 0. */
export const RULE_ARGUMENTS: { readonly [A in Algorithm]: readonly (keyof RuleOf[A])[] } = {
  'sliding-window-log': ['limit', 'windowMs'],
  'fixed-window': ['limit', 'windowMs', 'boundaries'],
  'sliding-window-counter': ['limit', 'windowMs', 'samples', 'isWhole'],
  'leaky-bucket': ['limit', 'leak', 'scale', 'maxDelayMs'],
  'token-bucket': ['limit', 'leak', 'scale'],
  concurrency: ['limit', 'windowMs', 'lease'],
}

export type Argument = string | number

/** The keys of a charge: its own, and that of its blocks where one of its rules blocks, or all is to be forgotten. */
export function keysOf({ key, rules }: Charge, type: Operation['type']): readonly string[] {
  return type === 'reset' || rules.some((rule) => rule.blockMs > 0) ? [key, `${key}:block`] : [key]
}

/** A charge as driver.lua reads it. */
export function argumentsOf(charge: Charge): readonly Argument[] {
  const { algorithm, facts, cost, rules } = charge
  return [algorithm, facts.mode, cost, rules.length, ...rulesOf(charge)]
}

function rulesOf<A extends Algorithm>({ algorithm, rules }: { algorithm: A; rules: readonly RuleOf[A][] }): Argument[] {
  const names = RULE_ARGUMENTS[algorithm]
  return rules.flatMap((rule) => [rule.blockMs, ...names.flatMap((name) => encode(rule[name]))])
}

function encode(value: unknown): Argument | Argument[] {
  if (typeof value === 'number' || typeof value === 'string') return value
  if (typeof value === 'boolean') return value ? 1 : 0
  if (Array.isArray(value)) return [value.length, ...value.map(Number)]
  throw new TypeError(`no argument of a script: ${String(value)}`)
}
