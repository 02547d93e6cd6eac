import type { Algorithm, RuleOf } from '../rules/compiled.ts'
import type { Charge, Operation } from '../store.ts'

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

/** The keys of operations: of each charge its own, and that of its blocks where one of its rules blocks, or all is to be
 *  forgotten. */
export function keysOf(operations: readonly Operation[]): string[] {
  const keys: string[] = []
  for (const { type, charges } of operations) {
    for (const { key, rules } of charges) {
      keys.push(key)
      if (type === 'reset' || rules.some(blocks)) keys.push(`${key}:block`)
    }
  }
  return keys
}

function blocks({ blockMs }: Charge['rules'][number]): boolean {
  return blockMs > 0
}

/** Operations as driver.lua reads them: what differs between them by its keys alone is said once. At most 94. */
export function tripArguments(operations: readonly Operation[]): readonly Argument[] {
  const kinds: Operation[] = []
  let order = ''
  for (const operation of operations) {
    let kind = kinds.findIndex((known) => isAlike(known, operation))
    if (kind < 0) kind = kinds.push(operation) - 1
    order += String.fromCharCode(FIRST_KIND + kind)
  }
  return [order, ...kinds.flatMap(operationArguments)]
}

const FIRST_KIND = '!'.charCodeAt(0)

/** Whether the operations have the same arguments; of what is not one object in both it says no. */
function isAlike(one: Operation, other: Operation): boolean {
  if (one.type !== other.type || one.type === 'refund' || one.charges.length !== other.charges.length) return false
  return one.charges.every((charge, index) => {
    const same = other.charges[index]
    return charge.rules === same?.rules && charge.cost === same.cost && charge.facts.mode === same.facts.mode
  })
}

function operationArguments(operation: Operation): readonly Argument[] {
  const { type, charges } = operation
  if (type !== 'refund') return [type, charges.length, ...charges.flatMap(argumentsOf)]
  const { at } = operation
  return [type, charges.length, ...charges.flatMap((charge, index) => [at[index] ?? 0, ...argumentsOf(charge)])]
}

function argumentsOf(charge: Charge): readonly Argument[] {
  const { algorithm, facts, cost, rules } = charge
  let ofRules = argumentsOfRules.get(rules)
  if (!ofRules) {
    ofRules = rulesOf(charge).map(String)
    argumentsOfRules.set(rules, ofRules)
  }
  return [algorithm, facts.mode, cost, rules.length, ...ofRules]
}

/** Rules are sent again and again, so what is sent of them is kept while they are. */
const argumentsOfRules = new WeakMap<Charge['rules'], readonly string[]>()

function rulesOf<A extends Algorithm>({ algorithm, rules }: { algorithm: A; rules: readonly RuleOf[A][] }): Argument[] {
  return rules.flatMap((rule) => [rule.blockMs, ...ruleArguments(algorithm, rule)])
}

/** What of a rule its algorithm's fragment reads. */
export function ruleArguments<A extends Algorithm>(algorithm: A, rule: RuleOf[A]): readonly Argument[] {
  return RULE_ARGUMENTS[algorithm].flatMap((name) => encode(rule[name]))
}

function encode(value: unknown): Argument | Argument[] {
  if (typeof value === 'number' || typeof value === 'string') return value
  if (typeof value === 'boolean') return value ? 1 : 0
  if (Array.isArray(value)) return [value.length, ...value.map(Number)]
  throw new TypeError(`no argument of a script: ${String(value)}`)
}
