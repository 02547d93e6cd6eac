import { z } from 'zod'
import type { RuleParts } from '#format/rules.ts'
import { formatRule } from '#format/rules.ts'
import { tokenRoutes } from '#server/accounts/tokens/token-limits.ts'
import type { Scope } from '#server/accounts/viewer.ts'
import { refuse, refuseWith } from '#server/errors/refuse.ts'
import type { LimitRequest } from '#server/limits/charges.ts'
import { declaredName } from '#server/limits/overrides.ts'
import type { RuleState, RuleStates } from '#server/limits/rule-states.ts'
import type { CompiledRuleSet } from '#server/limits/rules/compiled.ts'
import { personalAdminProcedure } from '#server/trpc/init.ts'
import type { Catalogue, DeclaringPart } from './catalogue.ts'
import { type ExplainedCaller, findExplainedCaller } from './explained-caller.ts'
import { limitAdminView } from './limits.ts'
import { withUnitCost } from './my-limits.ts'
import { subjectProblem } from './overrides/override-problems.ts'
import type { OverrideTarget } from './overrides/override-target.ts'
import { shownTarget } from './overrides/override-target.ts'
import { createArgumentNamer, loadThings, type ShownArgument } from './shown-argument.ts'
import { createSubjectNamer, type ShownSubject } from './shown-subject.ts'
import { NOWHERE } from './subject-key.ts'

const input = z.strictObject({
  /** The path of a procedure, or the name of a route. */
  procedure: z.string().max(200),
  /** A subject as overrides take it, or the name by which a user signs in. */
  subject: z.string().trim().min(1).max(100),
  /** The value of the argument that the call's rule sets count; without it, those that count one are not asked. */
  argument: z.string().trim().min(1).max(200).optional(),
})

export interface ExplainedRule
  extends Pick<RuleState, 'key' | 'algorithm' | 'used' | 'remaining' | 'resetMs' | 'waitMs' | 'blockedMs'> {
  readonly ruleSet: string
  readonly policy: string
  readonly unit: 'calls' | 'bytes'
  readonly mode: 'enforce' | 'shadow' | 'degrade'
  readonly parts: RuleParts
  /** The rule in English: '100 per minute'. */
  readonly words: string
  readonly limit: number
  readonly windowMs: number
  /** What the override in force is for; null if the rule is the declared one. */
  readonly override: OverrideTarget | null
  /** What of the subject's calls it counts, or of everybody's; null for all. */
  readonly argument: ShownArgument | null
}

/** A rule set whose count is not known from the subject alone. */
export interface UnaskedSet {
  readonly ruleSet: string
  /** It counts an argument of the call, or the client's address, or never the subject. */
  readonly needs: 'argument' | 'address' | 'other-subject'
}

export interface ExplainedLimits {
  readonly procedure: string
  readonly kind: DeclaringPart['kind']
  readonly subject: ShownSubject
  /** No limits apply to the subject, so that no rule is asked. */
  readonly isExempt: boolean
  /** Milliseconds until the next call passes, as far as these rules say; 0 for now. */
  readonly waitMs: number
  /** Who has counted: the store, or this process while the store fails. */
  readonly answeredBy: RuleStates['answeredBy']
  /** Every rule that a call is decided by, with what it has counted now. */
  readonly rules: readonly ExplainedRule[]
  readonly unasked: readonly UnaskedSet[]
}

/** Explains how a call of a procedure or route by a subject would be decided now. Charges nothing. */
export const explainLimits = personalAdminProcedure
  .meta({ limits: limitAdminView })
  .input(input)
  .query(async ({ ctx, input }): Promise<ExplainedLimits> => {
    const { db, limiter, limitAdmin, config } = ctx.app
    const part = limitAdmin.catalogue.parts.find(({ path }) => path === input.procedure)
    if (!part) throw refuse('unknown-procedure', { procedure: input.procedure })
    const found = await findExplainedCaller(db, input.subject)
    if (!found) throw refuse('subject-not-found')
    const isExempt = found.isExempt && !part.isAnonymous
    const requests = isExempt ? [] : requestsFor(limitAdmin.catalogue, part, found, input.argument)
    const { rules: states, answeredBy } = await limiter.states(requests)
    const known = states.filter(isKnown)
    const counts = known.map(({ key, facts, argument }) => ({ key, ruleSet: facts.name, argument: argument ?? undefined }))
    const things = await loadThings(db, config.origin, counts)
    const nameArgument = createArgumentNamer(limitAdmin.catalogue, things, ctx.viewer)
    const named = counts.map(nameArgument)
    const rules = known.map((state, at) => explainedRule(state, named[at] ?? null))
    const nameSubject = await createSubjectNamer(db, [found.subject.key], ctx.viewer)
    return {
      procedure: part.path,
      kind: part.kind,
      subject: nameSubject(found.subject.key),
      isExempt,
      waitMs: Math.max(0, ...rules.filter(({ mode }) => mode === 'enforce').map(({ waitMs }) => waitMs)),
      answeredBy,
      rules,
      unasked: isExempt ? [] : unaskedSets(part, found, rules),
    }
  })

/** What a call would be charged, as far as the subject tells. Throws for a subject that nothing of the procedure counts. */
function requestsFor(
  catalogue: Catalogue,
  part: DeclaringPart,
  found: ExplainedCaller,
  argument: string | undefined,
): readonly LimitRequest[] {
  const { subject, caller, tokenScopes } = found
  const named = part.compiled.filter(({ facts }) => typeof facts.by === 'string' || argument !== undefined)
  const input = argument === undefined ? undefined : inputWith(named, argument)
  const problemOf = ({ facts }: CompiledRuleSet) => {
    const set = catalogue.ruleSets.get(facts.name)
    return set ? subjectProblem(set, subject.key) : null
  }
  const isOfHolder = part.isForTokens || part.isForShares
  if (isOfHolder || subject.kind === 'share') {
    const problem = named.map(problemOf).find((each) => each !== null)
    if (problem) throw refuseWith(problem)
    return [{ sets: named.map(withUnitCost), caller: { subjectKey: subject.key }, input }]
  }
  if ('subjectKey' in caller) {
    return [{ sets: named.filter((set) => problemOf(set) === null).map(withUnitCost), caller, input }]
  }
  const own = { sets: named.map(withUnitCost), caller: part.isAnonymous ? asStranger(caller) : caller, input }
  if (subject.kind !== 'token') return [own]
  const { scope } = part
  const { sets } = tokenRoutes[scope === undefined || scope === 'any' ? 'read' : scope]
  const byToken = { sets, caller: { subjectKey: subject.key } }
  return mayCall(scope, tokenScopes) ? [own, byToken] : [byToken]
}

/** An input in which every argument that is counted has this value. */
function inputWith(sets: readonly CompiledRuleSet[], argument: string): unknown {
  const paths = sets.flatMap(({ facts: { by } }) => (typeof by === 'object' ? by.input : []))
  return paths.reduce<Record<string, unknown>>((input, path) => withValue(input, path.split('.'), argument), {})
}

function withValue(
  input: Record<string, unknown>,
  [name = '', ...rest]: readonly string[],
  value: string,
): Record<string, unknown> {
  const inner = input[name]
  const below = typeof inner === 'object' && inner !== null ? { ...inner } : {}
  return { ...input, [name]: rest.length === 0 ? value : withValue(below, rest, value) }
}

/** Where the caller is not known yet, only the address counts. */
function asStranger(caller: ExplainedCaller['caller']) {
  return { address: 'address' in caller ? caller.address : NOWHERE, userId: null, shared: false }
}

/** A call that a token may never make is charged to the token alone. */
const mayCall = (scope: Scope | 'any' | undefined, scopes: readonly string[] | null): boolean =>
  scope === 'any' || (scope !== undefined && scopes?.includes(scope) === true)

/** Whether the key needs no address that is unknown. */
const isKnown = ({ key }: RuleState): boolean => !key.includes(NOWHERE)

function explainedRule(state: RuleState, argument: ShownArgument | null): ExplainedRule {
  const { key, facts, algorithm, rule, used, remaining, resetMs, waitMs, blockedMs } = state
  const { policy, parts, limit, windowMs } = rule
  const { override } = facts
  return {
    ...{ ruleSet: facts.name, policy, unit: facts.unit, mode: facts.mode, key, algorithm },
    ...{ parts, words: formatRule(parts, 'en'), limit, windowMs, used, remaining, resetMs, waitMs, blockedMs },
    override: override && shownTarget(override),
    argument,
  }
}

function unaskedSets(
  { compiled }: DeclaringPart,
  { subject }: ExplainedCaller,
  rules: readonly ExplainedRule[],
): readonly UnaskedSet[] {
  const asked = new Set(rules.map(({ ruleSet }) => declaredName(ruleSet)))
  const sets = new Map(compiled.map(({ facts }) => [facts.name, facts]))
  return [...sets.values()]
    .filter(({ name }) => !asked.has(name))
    .map(({ name, by }) => {
      const isPerson = subject.kind === 'user' || subject.kind === 'token'
      return { ruleSet: name, needs: typeof by === 'object' ? 'argument' : isPerson ? 'address' : 'other-subject' }
    })
}
