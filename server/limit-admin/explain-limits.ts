import { z } from 'zod'
import { declaredName } from '#format/rule-set-name.ts'
import type { RuleParts } from '#format/rules.ts'
import { formatRule } from '#format/rules.ts'
import { refuse } from '#server/errors/refuse.ts'
import type { RuleState, RuleStates } from '#server/limits/rule-states.ts'
import { personalAdminProcedure } from '#server/trpc/init.ts'
import type { DeclaringPart } from './catalogue.ts'
import { subjectOfCount } from './counted-key.ts'
import { requestsFor } from './explain-requests.ts'
import { type ExplainedCaller, findExplainedCaller } from './explained-caller.ts'
import { limitAdminView } from './limits.ts'
import { loadThings, type ShownArgument } from './named-things.ts'
import type { OverrideTarget } from './overrides/override-target.ts'
import { shownTarget } from './overrides/override-target.ts'
import { createArgumentNamer } from './shown-argument.ts'
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
  /** Whom it counts: the caller, or the caller's network or all callers together. */
  readonly subject: ShownSubject
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
    const counts = known.map(({ key, facts, argument }) => ({
      key,
      ruleSet: facts.name,
      argument: argument ?? undefined,
    }))
    const things = await loadThings(db, config.origin, counts)
    const named = counts.map(createArgumentNamer(limitAdmin.catalogue, things, ctx.viewer))
    const subjectOf = ({ key }: { readonly key: string }) => subjectOfCount({ key, subject: found.subject.key })
    const nameSubject = await createSubjectNamer(db, [found.subject.key, ...counts.map(subjectOf)], ctx.viewer)
    const rules = known.map((state, at) => ({
      ...explainedRule(state),
      subject: nameSubject(subjectOf(state)),
      argument: named[at] ?? null,
    }))
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

/** Whether the key needs no address that is unknown. */
const isKnown = ({ key }: RuleState): boolean => !key.includes(NOWHERE)

function explainedRule(state: RuleState): Omit<ExplainedRule, 'subject' | 'argument'> {
  const { key, facts, algorithm, rule, used, remaining, resetMs, waitMs, blockedMs } = state
  const { policy, parts, limit, windowMs } = rule
  const { override } = facts
  return {
    ...{ ruleSet: facts.name, policy, unit: facts.unit, mode: facts.mode, key, algorithm },
    ...{ parts, words: formatRule(parts, 'en'), limit, windowMs, used, remaining, resetMs, waitMs, blockedMs },
    override: override && shownTarget(override),
  }
}

function unaskedSets(
  { compiled }: DeclaringPart,
  { subject }: ExplainedCaller,
  rules: readonly ExplainedRule[],
): readonly UnaskedSet[] {
  const asked = new Set(rules.map(({ ruleSet }) => declaredName(ruleSet)))
  const sets = new Map(compiled.map(({ facts }) => [facts.name, facts]))
  const unasked = [...sets.values()]
    .filter(({ name }) => !asked.has(name))
    .map(({ name, by }): UnaskedSet => {
      const isPerson = subject.kind === 'user' || subject.kind === 'token'
      return { ruleSet: name, needs: typeof by === 'object' ? 'argument' : isPerson ? 'address' : 'other-subject' }
    })
  // What the network of an address may use of a count that all callers share: all of them are asked, or none.
  const isNetworkAsked = rules.some(({ ruleSet }) => ruleSet.endsWith('-network'))
  const networks = compiled.flatMap(({ facts, network }) =>
    network && asked.has(facts.name) ? network.facts.name : [],
  )
  const unaskedNetworks = isNetworkAsked ? [] : [...new Set(networks)]
  return [...unasked, ...unaskedNetworks.map((ruleSet): UnaskedSet => ({ ruleSet, needs: 'address' }))]
}
