import { errorText } from '#server/errors/refuse.ts'
import type { ErrorText } from '#server/errors/refused.ts'
import { nameFor, type Override, trialName } from '#server/limits/overrides.ts'
import { compileRuleSets, InvalidRuleSet, TwinRules } from '#server/limits/rules/compile.ts'
import type { CompiledRule, CompiledRuleSet } from '#server/limits/rules/compiled.ts'
import { type RuleWarning, ruleSetWarnings } from '#server/limits/rules/warnings.ts'
import type { Catalogue, NamedRuleSet, Use } from '../catalogue.ts'
import { countedHolder, misplacedTerms } from './override-problems.ts'
import { limiterTarget, type OverridePlace } from './override-target.ts'
import { chargingIn, declaredTerms, type OverrideTerms, withTerms } from './override-terms.ts'

export interface WrittenOverride extends OverridePlace {
  readonly ruleSet: string
  readonly terms: OverrideTerms
}

/** An override ready for the limiter, or why it is refused. Of a trial, its rules are charged beside those of its set. */
export type CompiledOverride =
  | { readonly problem: null; readonly override: Override; readonly isTrial: boolean }
  | { readonly problem: ErrorText }

/** Compiles an override against what the code declares now. It must be valid for every use of the rule set. */
export function compileOverride(
  catalogue: Catalogue,
  written: WrittenOverride,
  largestBytes: number,
): CompiledOverride {
  const { ruleSet, procedure, target, terms } = written
  const declared = catalogue.ruleSets.get(ruleSet)
  if (!declared) return { problem: errorText('unknown-rule-set', { ruleSet }) }
  const set = withinProcedure(declared, procedure)
  if ('problem' in set) return set
  const misplaced = misplacedTerms(set, target, terms)
  if (misplaced !== null) return { problem: misplaced }
  const isTrial = target.kind === 'trial'
  if (isTrial && procedure !== undefined) return { problem: errorText('trial-of-rules', { ruleSet }) }
  if (target.kind === 'argument' && procedure !== undefined)
    return { problem: errorText('block-of-argument', { ruleSet }) }
  try {
    const [own = []] = usesOnce(set).map((use) => compileWith(use, written))
    const problem = isTrial ? null : (windowProblem(set, own) ?? tooSmall(own, largestBytes))
    if (problem !== null) return { problem }
    const { blockedUntil: until } = terms
    const override = {
      ...{ ruleSet, procedure, target: limiterTarget(target), sets: own, charging: chargingIn(terms) },
      ...(until !== undefined && { blockedUntil: Date.parse(until) }),
    }
    return { problem: null, override, isTrial }
  } catch (error) {
    return { problem: compileError(error) }
  }
}

/** Returns the rule set as one procedure declares it, or why it cannot be overridden there alone. */
function withinProcedure(
  set: NamedRuleSet,
  procedure: string | undefined,
): NamedRuleSet | { readonly problem: ErrorText } {
  if (procedure === undefined) return set
  const { name: ruleSet } = set
  const use = set.uses.find(({ part }) => part.path === procedure)
  if (!use) return { problem: errorText('procedure-without-set', { ruleSet, procedure }) }
  // By itself it counts already, and its usage would be lost.
  if (set.uses.length === 1) return { problem: errorText('procedure-alone', { ruleSet, procedure }) }
  return { ...set, uses: [use] }
}

/** Returns why rules do not compile. Throws the error again if it is another. */
export function compileError(error: unknown): ErrorText {
  // Unlike code, an override cannot rename a rule set to resolve the conflict.
  if (error instanceof TwinRules) return errorText('duplicate-rule', { policy: error.policy })
  // Forms offer no field whose mistakes have no code.
  if (error instanceof InvalidRuleSet) return error.flaw ?? errorText('invalid-rules', { problem: error.message })
  throw error
}

/** Returns warnings about rules that work but are probably a mistake; without those that the declared rules cause as
 *  well. */
export function overrideWarnings(catalogue: Catalogue, written: WrittenOverride): readonly RuleWarning[] {
  const declared = catalogue.ruleSets.get(written.ruleSet)
  const set = declared && withinProcedure(declared, written.procedure)
  if (!set || 'problem' in set) return []
  return distinctWarnings(usesOnce(set).flatMap((use) => newWarnings(use.part, compileAll(use, written))))
}

export const distinctWarnings = (warnings: readonly RuleWarning[]): readonly RuleWarning[] => [
  ...new Map(warnings.map((warning) => [JSON.stringify(warning), warning])).values(),
]

/** Returns one use per list of rule sets: procedures that share a list share its problems. */
function usesOnce({ uses }: NamedRuleSet): readonly Use[] {
  const lists = uses.map(({ part }) => part.declared)
  return uses.filter(({ part }, at) => lists.indexOf(part.declared) === at)
}

/** Compiles all rule sets of a procedure or route, one of them with other terms. Throws InvalidRuleSet. */
function compileAll({ part }: Use, written: WrittenOverride): readonly CompiledRuleSet[] {
  const { ruleSet, target, terms } = written
  const declared = part.declared.flatMap((set) => {
    const own = { ...set, name: set.name ?? part.path }
    if (own.name !== ruleSet) return own
    const isTrial = target.kind === 'trial'
    const others = isTrial ? ({ mode: 'shadow', wait: null, onStoreFailure: 'local' } as const) : {}
    const changed = { ...withTerms(own, declaredTerms(own), { ...terms, ...others }), name: ownName(written) }
    return isTrial ? [own, changed] : changed
  })
  return compileRuleSets(part.path, declared)
}

function compileWith(use: Use, written: WrittenOverride): readonly CompiledRuleSet[] {
  const name = ownName(written)
  return compileAll(use, written).filter(({ facts }) => facts.name === name)
}

/** The calls of one procedure alone are counted under a name of their own, and so are rules in trial. */
function ownName({ ruleSet, procedure, target }: Omit<WrittenOverride, 'terms'>): string {
  if (target.kind === 'trial') return trialName(ruleSet)
  return procedure === undefined ? ruleSet : nameFor(ruleSet, procedure)
}

/** Owners' own limits name the windows of a set that counts shares: with others they would hold no longer. */
function windowProblem({ name, uses, compiled }: NamedRuleSet, sets: readonly CompiledRuleSet[]): ErrorText | null {
  const shapes = (parts: readonly CompiledRuleSet[]) => parts.map(({ shape }) => shape).join(' ')
  if (countedHolder(uses) !== 'share' || shapes(sets) === shapes(compiled)) return null
  return errorText('windows-of-shares', { ruleSet: name })
}

/** Calls are charged their bytes, up to the largest upload, and one above a limit would wait forever. Sets in other
 *  modes refuse nobody, so they are not checked. */
function tooSmall(sets: readonly CompiledRuleSet[], largestBytes: number): ErrorText | null {
  for (const { facts, rules } of sets) {
    if (facts.unit !== 'bytes' || facts.cost !== null || facts.mode !== 'enforce') continue
    const small = rules.find((rule: CompiledRule) => rule.limit < largestBytes)
    if (small)
      return errorText('rule-below-upload', {
        ruleSet: facts.name,
        size: { bytes: largestBytes },
        rule: { rule: small.parts },
      })
  }
  return null
}

/** Returns the warnings that other terms cause and the declared ones do not. */
export function newWarnings(
  part: Pick<Use['part'], 'compiled'>,
  sets: readonly CompiledRuleSet[],
): readonly RuleWarning[] {
  const known = new Set(ruleSetWarnings(part.compiled).map((warning) => JSON.stringify(warning)))
  return ruleSetWarnings(sets).filter((warning) => !known.has(JSON.stringify(warning)))
}
