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
      if (type === 'reset' || isBlocking(rules)) keys.push(`${key}:block`)
    }
  }
  return keys
}

function isBlocking(rules: Charge['rules']): boolean {
  for (const { blockMs } of rules) if (blockMs > 0) return true
  return false
}

/** Operations as driver.lua reads them: what differs between them by its keys alone is said once. At most 94. */
export function tripArguments(operations: readonly Operation[]): readonly Argument[] {
  const kinds: Operation[] = []
  let order = ''
  let kind = 0
  for (const operation of operations) {
    // Most often it is of the kind of the one before.
    const last = kinds[kind]
    if (!last || !isAlike(last, operation)) kind = kinds.findIndex((known) => isAlike(known, operation))
    if (kind < 0) kind = kinds.push(operation) - 1
    order += String.fromCharCode(FIRST_KIND + kind)
  }
  const args: Argument[] = [order]
  for (const operation of kinds) addArguments(args, operation)
  return args
}

const FIRST_KIND = '!'.charCodeAt(0)

/** Whether the operations have the same arguments; of what is not one object in both it says no. */
function isAlike(one: Operation, other: Operation): boolean {
  if (one.type !== other.type || one.type === 'refund' || one.charges.length !== other.charges.length) return false
  return one.charges.every(({ rules, cost, facts }, index) => {
    const same = other.charges[index]
    return rules === same?.rules && cost === same.cost && facts.mode === same.facts.mode
  })
}

function addArguments(args: Argument[], operation: Operation): void {
  const { type, charges } = operation
  args.push(type, charges.length)
  for (const [index, charge] of charges.entries()) {
    if (operation.type === 'refund') args.push(operation.at[index] ?? 0)
    args.push(charge.algorithm, charge.facts.mode, charge.cost, charge.rules.length, ...argumentsOfRules(charge))
  }
}

/** Rules are sent again and again, so what is sent of them is kept while they are. */
const known = new WeakMap<Charge['rules'], readonly string[]>()

function argumentsOfRules(charge: Charge): readonly string[] {
  let args = known.get(charge.rules)
  if (!args) {
    args = rulesOf(charge).map(String)
    known.set(charge.rules, args)
  }
  return args
}

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
