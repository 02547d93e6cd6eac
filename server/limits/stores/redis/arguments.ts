import { takenWith } from '../../receipt.ts'
import type { Algorithm, RuleOf } from '../../rules/compiled.ts'
import { type Charge, canBlock, type Operation } from '../../store.ts'

/** The fields of a rule that its algorithm's Lua file reads, in order; the header of that file lists the same. A list
 *  is preceded by its length, a boolean is 1 or 0. */
export const RULE_ARGUMENTS: { readonly [A in Algorithm]: readonly (keyof RuleOf[A])[] } = {
  'sliding-window-log': ['limit', 'windowMs'],
  'fixed-window': ['limit', 'windowMs', 'boundaries'],
  'sliding-window-counter': ['limit', 'windowMs', 'samples', 'isWhole'],
  'leaky-bucket': ['limit', 'leak', 'scale', 'maxDelayMs'],
  'token-bucket': ['limit', 'leak', 'scale'],
  concurrency: ['limit', 'windowMs', 'lease'],
}

/** KEYS of the script: for each charge its key, then its block key where it can block or the operation is a reset. */
export function keysOf(operations: readonly Operation[]): string[] {
  const keys: string[] = []
  for (const { type, charges } of operations) {
    for (const charge of charges) {
      keys.push(charge.key)
      if (type === 'reset' || canBlock(charge)) keys.push(`${charge.key}:block`)
    }
  }
  return keys
}

/** ARGV of the script for at most 94 operations, as driver.lua reads it. Operations that differ only in their keys are
 *  one kind, whose arguments are sent once. */
export function tripArguments(operations: readonly Operation[]): readonly (string | number)[] {
  const kinds: Operation[] = []
  let order = ''
  let kind = 0
  for (const operation of operations) {
    // Most often an operation is of the same kind as the one before it.
    const last = kinds[kind]
    if (!last || !isAlike(last, operation)) kind = kinds.findIndex((known) => isAlike(known, operation))
    if (kind < 0) kind = kinds.push(operation) - 1
    order += String.fromCharCode(FIRST_KIND + kind)
  }
  const args: (string | number)[] = [order]
  for (const operation of kinds) addArguments(args, operation)
  return args
}

const FIRST_KIND = '!'.charCodeAt(0)

/** Whether the operations have the same arguments. Rules are compared by identity, so equal ones may be called
 *  different. */
function isAlike(one: Operation, other: Operation): boolean {
  if (one.type !== other.type || one.type === 'refund' || one.charges.length !== other.charges.length) return false
  let index = 0
  for (const { rules, cost, facts } of one.charges) {
    const same = other.charges[index]
    index += 1
    if (rules !== same?.rules || cost !== same.cost || takenWith({ facts }) !== takenWith(same)) return false
  }
  return true
}

function addArguments(args: (string | number)[], operation: Operation): void {
  const { type, charges } = operation
  args.push(type, charges.length)
  for (const [index, charge] of charges.entries()) {
    if (operation.type === 'refund') args.push(operation.at[index] ?? 0)
    args.push(charge.algorithm, takenWith(charge), charge.cost, charge.rules.length, ...argumentsOfRules(charge))
  }
}

/** The encoded arguments of rules, kept as long as the rules are: the same rules are sent with every call. */
const known = new WeakMap<Charge['rules'], readonly string[]>()

function argumentsOfRules(charge: Charge): readonly string[] {
  let args = known.get(charge.rules)
  if (!args) {
    args = rulesOf(charge).map(String)
    known.set(charge.rules, args)
  }
  return args
}

function rulesOf<A extends Algorithm>({
  algorithm,
  rules,
}: {
  algorithm: A
  rules: readonly RuleOf[A][]
}): (string | number)[] {
  return rules.flatMap((rule) => [rule.blockMs, ...ruleArguments(algorithm, rule)])
}

/** The arguments of one rule, without its block. Throws TypeError for a field that cannot be encoded. */
export function ruleArguments<A extends Algorithm>(algorithm: A, rule: RuleOf[A]): readonly (string | number)[] {
  return RULE_ARGUMENTS[algorithm].flatMap((name) => encode(rule[name]))
}

function encode(value: unknown): string | number | (string | number)[] {
  if (typeof value === 'number' || typeof value === 'string') return value
  if (typeof value === 'boolean') return value ? 1 : 0
  if (Array.isArray(value)) return [value.length, ...value.map(Number)]
  throw new TypeError(`no argument of a script: ${String(value)}`)
}
