import type { z } from 'zod'
import type { AnyRuleSet } from '../rule-set.ts'
import { compileRule, cutOf, type RuleFrame, UnworkableRule } from './compile-rule.ts'
import {
  ALGORITHMS,
  type Algorithm,
  type CompiledRule,
  type CompiledRuleSet,
  type SetFacts,
  type SetOf,
} from './compiled.ts'
import { flawOfField, type RuleFlaw } from './flaw.ts'
import { ruleSchemasFor } from './rule-schemas.ts'
import { LEAST_NETWORKS, setSchema } from './set-schema.ts'
import { shapeOf } from './shape.ts'

/** A declaration that cannot work; a bug, found at start. */
export class InvalidRuleSet extends Error {
  override readonly name = 'InvalidRuleSet'
  readonly procedure: string
  /** The same for interfaces; null for a mistake that only code can make. */
  readonly flaw: RuleFlaw | null

  constructor(procedure: string, problem: string, flaw: RuleFlaw | null = null) {
    super(`${procedure}: ${problem}`)
    this.procedure = procedure
    this.flaw = flaw
  }
}

/** Two rules of one procedure with the same name, which headers and statistics could not tell apart. */
export class TwinRules extends InvalidRuleSet {
  readonly policy: string

  constructor(procedure: string, policy: string) {
    super(procedure, `two rules are named ${policy}: drop one, or name its rule set otherwise`)
    this.policy = policy
  }
}

const asDeclared = (amount: number): number => amount
/** All users of a shared account are counted by address. A network may use as much as an address, and all together as much
 *  as LEAST_NETWORKS networks. */
const ofAccount = (amount: number): number => amount * LEAST_NETWORKS
const ofNetwork = (networks: number) => (amount: number) => Math.max(1, Math.floor(amount / networks))

/** Checks what a procedure declares and makes it ready for `Limiter.take`. Throws InvalidRuleSet, which names the
 *  procedure, the rule set, the rule and what is wrong. */
export function compileRuleSets(procedure: string, sets: readonly AnyRuleSet[]): readonly CompiledRuleSet[] {
  const compiled = sets.flatMap((set, index) => {
    const place = `rule set ${set.name ?? index + 1}`
    return compileRuleSet(procedure, { ...set, name: set.name ?? procedure }, (problem, flaw) => {
      throw new InvalidRuleSet(procedure, `${place}${problem}`, flaw)
    })
  })
  refuseTwins(procedure, compiled)
  return compiled
}

const NAMES = ALGORITHMS.filter((name) => name !== 'concurrency').join(', ')

/** Called with what is wrong with a rule set; adds the set's name. */
type Fail = (problem: string, flaw?: RuleFlaw | null) => never

function compileRuleSet(declaredBy: string, set: AnyRuleSet, fail: Fail): readonly CompiledRuleSet[] {
  const { rules, wait, networks = null, ...parsed } = parse(setSchema, set, fail)
  const { cost = null, penalty = null } = parsed
  const facts = { ...parsed, declaredBy, cost, penalty, waitMs: wait ?? 0, override: null }
  const declared = rules.map((rule, index): DeclaredRule => {
    const number = index + 1
    const failHere: Fail = (problem, flaw = null) =>
      fail(`, rule ${number}${problem}`, flaw && { ...flaw, params: { ...flaw.params, number } })
    return { rule, fail: failHere, algorithm: algorithmOf(rule) ?? failHere(`, algorithm: must be ${NAMES}`) }
  })
  // Rules of different algorithms keep different state, so each algorithm's rules are a set, and a key, of their own.
  const part = <A extends Algorithm>(algorithm: A): SetOf<A>[] => {
    const own = declared.filter((each) => each.algorithm === algorithm)
    return own.length === 0 ? [] : [setOf(algorithm, own, facts, networks)]
  }
  return [
    ...part('sliding-window-log'),
    ...part('fixed-window'),
    ...part('sliding-window-counter'),
    ...part('leaky-bucket'),
    ...part('token-bucket'),
    ...part('concurrency'),
  ]
}

interface DeclaredRule {
  readonly algorithm: Algorithm
  readonly rule: unknown
  readonly fail: Fail
}

function setOf<A extends Algorithm>(
  algorithm: A,
  declared: readonly DeclaredRule[],
  facts: SetFacts,
  networks: number | null,
): SetOf<A> {
  const compile = (scale: RuleFrame['scale'], suffix = '') => ({
    // What others share is not charged for the abuse of one.
    ...compilePart(
      algorithm,
      declared,
      suffix ? { ...facts, name: `${facts.name}${suffix}`, penalty: null } : facts,
      scale,
    ),
    total: null,
    network: null,
  })
  const own = compile(asDeclared)
  if (isBySubject(facts)) {
    return { ...own, total: { ...compile(ofAccount, '-total'), network: compile(asDeclared, '-network') } }
  }
  return networks === null ? own : { ...own, network: compile(ofNetwork(networks), '-network') }
}

function isBySubject({ by }: SetFacts): boolean {
  return by === 'subject' || (typeof by === 'object' && by.per === 'subject')
}

function compilePart<A extends Algorithm>(
  algorithm: A,
  declared: readonly DeclaredRule[],
  facts: SetFacts,
  scale: RuleFrame['scale'],
) {
  const schema = ruleSchemasFor(facts.unit)[algorithm]
  const frame: RuleFrame = { set: facts.name, unit: facts.unit, maxDelayMs: facts.waitMs || -1, scale }
  const compiled = declared.map(({ rule, fail }) => {
    const parsed = parse(schema, rule, fail, facts.unit)
    const own = workable(() => compileRule[algorithm](frame, parsed), fail)
    if (algorithm !== 'concurrency' && typeof facts.cost === 'number' && facts.cost > own.limit)
      return fail(`: a cost of ${facts.cost} can never pass the limit of ${own.limit}`, {
        code: 'rule-below-cost',
        params: { cost: facts.cost, limit: own.limit },
      })
    return { cut: cutOf(parsed), rule: own }
  })
  // Sorted by how they divide time, not by any amount, so that a rule's count keeps its place when a limit changes.
  const inOrder = compiled.toSorted(
    (a, b) => Number.parseInt(a.cut, 10) - Number.parseInt(b.cut, 10) || (a.cut < b.cut ? -1 : 1),
  )
  const shape = shapeOf(
    algorithm,
    facts.unit,
    inOrder.map(({ cut }) => cut),
  )
  return { algorithm, rules: inOrder.map(({ rule }) => rule), shape, facts }
}

function workable<T>(compile: () => T, fail: Fail): T {
  try {
    return compile()
  } catch (error) {
    if (error instanceof UnworkableRule) return fail(`, ${error.message}`, error.flaw)
    throw error
  }
}

function algorithmOf(rule: unknown): Algorithm | null {
  if (typeof rule !== 'object' || rule === null) return 'sliding-window-log'
  if ('concurrent' in rule) return 'concurrency'
  if (!('algorithm' in rule) || rule.algorithm === undefined) return 'sliding-window-log'
  return ALGORITHMS.find((name) => name !== 'concurrency' && name === rule.algorithm) ?? null
}

function parse<T>(schema: z.ZodType<T>, value: unknown, fail: Fail, unit = 'calls'): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  return fail(
    [...(issue?.path ?? []).map((part) => `, ${String(part)}`), `: ${issue?.message ?? 'is not valid'}`].join(''),
    flawOfField(String(issue?.path[0]), unit),
  )
}

/** Two rules of one policy name would share a key, or at least a name that clients could not tell apart. */
function refuseTwins(procedure: string, sets: readonly CompiledRuleSet[]): void {
  const seen = new Set<string>()
  for (const { policy } of sets.flatMap((set): readonly CompiledRule[] => set.rules)) {
    if (seen.has(policy)) throw new TwinRules(procedure, policy)
    seen.add(policy)
  }
}
