import { errorText } from '#server/errors/refuse.ts'
import type { ErrorText } from '#server/errors/refused.ts'
import type { Override } from '#server/limits/overrides.ts'
import { compileRuleSets, InvalidRuleSet, TwinRules } from '#server/limits/rules/compile.ts'
import { type CompiledRule, type CompiledRuleSet, countsTogether } from '#server/limits/rules/compiled.ts'
import { type RuleWarning, ruleSetWarnings } from '#server/limits/rules/warnings.ts'
import type { Catalogue, NamedRuleSet, Use } from '../catalogue.ts'
import { parseSubject } from '../subject-key.ts'
import { limiterTarget, type OverrideTarget } from './override-target.ts'
import { declaredTerms, type OverrideTerms, withTerms } from './override-terms.ts'

export interface WrittenOverride {
  readonly ruleSet: string
  readonly target: OverrideTarget
  readonly terms: OverrideTerms
}

/** An override ready for the limiter, or why it is refused. */
export type CompiledOverride = { readonly problem: null; readonly override: Override } | { readonly problem: ErrorText }

/** Compiles an override against what the code declares now. It must be valid for every use of the rule set. */
export function compileOverride(
  catalogue: Catalogue,
  written: WrittenOverride,
  largestBytes: number,
): CompiledOverride {
  const set = catalogue.ruleSets.get(written.ruleSet)
  if (!set) return { problem: errorText('unknown-rule-set', { ruleSet: written.ruleSet }) }
  const misplaced =
    targetProblem(set, written.target) ?? waitProblem(set, written.terms) ?? degradeProblem(set, written.terms)
  if (misplaced !== null) return { problem: misplaced }
  try {
    const [sets] = usesOnce(set).map((use) => compileWith(use, set.name, written.terms))
    const own = (sets ?? []).filter(({ facts }) => facts.name === set.name)
    const problem = windowProblem(set, own) ?? tooSmall(own, largestBytes)
    if (problem !== null) return { problem }
    return { problem: null, override: { ruleSet: set.name, target: limiterTarget(written.target), sets: own } }
  } catch (error) {
    if (error instanceof TwinRules) return { problem: twinProblem(error) }
    if (error instanceof InvalidRuleSet) return { problem: invalidProblem(error) }
    throw error
  }
}

/** Forms offer no field whose mistakes have no code. */
const invalidProblem = ({ flaw, message }: InvalidRuleSet): ErrorText =>
  flaw ?? errorText('invalid-rules', { problem: message })

/** Unlike code, an override cannot rename a rule set to resolve the conflict. */
const twinProblem = ({ policy }: TwinRules): ErrorText => errorText('duplicate-rule', { policy })

/** Returns warnings about rules that work but are probably a mistake; without those that the declared rules cause as
 *  well. */
export function overrideWarnings(catalogue: Catalogue, { ruleSet, terms }: WrittenOverride): readonly RuleWarning[] {
  const set = catalogue.ruleSets.get(ruleSet)
  const warnings = set ? usesOnce(set).flatMap((use) => newWarnings(use, compileWith(use, set.name, terms))) : []
  return [...new Map(warnings.map((warning) => [JSON.stringify(warning), warning])).values()]
}

/** Returns one use per list of rule sets: procedures that share a list share its problems. */
function usesOnce({ uses }: NamedRuleSet): readonly Use[] {
  const lists = uses.map(({ part }) => part.declared)
  return uses.filter(({ part }, at) => lists.indexOf(part.declared) === at)
}

/** Returns what a rule set can be overridden for: no individuals if all are counted together, and no roles if the role
 *  is not known yet. */
export function possibleTargets({ uses, compiled }: NamedRuleSet): readonly OverrideTarget['kind'][] {
  if (countsTogether(compiled[0].facts)) return ['all']
  return isAnonymous(uses) || countedHolder(uses) ? ['all', 'subject'] : ['all', 'role', 'subject']
}

/** Returns what a rule set counts, if that is no caller of the site; null for all others. */
export function countedHolder(uses: readonly Use[]): 'token' | 'share' | null {
  if (uses.every(({ part }) => part.isForTokens)) return 'token'
  return uses.every(({ part }) => part.isForShares) ? 'share' : null
}

const isAnonymous = (uses: readonly Use[]): boolean => uses.every(({ part }) => part.isAnonymous)

function targetProblem(set: NamedRuleSet, target: OverrideTarget): ErrorText | null {
  const { name: ruleSet } = set
  if (!possibleTargets(set).includes(target.kind)) {
    const holder = target.kind === 'role' && countedHolder(set.uses)
    if (holder) return errorText(`role-of-${holder}s`, { ruleSet })
    if (target.kind === 'role' && !countsTogether(set.compiled[0].facts)) return errorText('role-unknown', { ruleSet })
    return errorText('override-for-all', { ruleSet })
  }
  return target.kind === 'subject' ? subjectProblem(set, target.subject) : null
}

/** Otherwise guessing a name could make its owner wait, and nothing reports when a waiting guesser disconnects. */
function waitProblem({ name, uses }: NamedRuleSet, { wait = null }: OverrideTerms): ErrorText | null {
  if (wait === null || !isAnonymous(uses)) return null
  return errorText('wait-unknown-caller', { ruleSet: name })
}

function degradeProblem(set: NamedRuleSet, { mode }: OverrideTerms): ErrorText | null {
  return mode === 'degrade' && !canDegrade(set) ? errorText('no-cheaper-answer', { ruleSet: set.name }) : null
}

/** Whether everything that charges the rule set has a cheaper answer. Where one has none, the set would limit nothing. */
export const canDegrade = ({ uses }: NamedRuleSet): boolean =>
  uses.every(({ part }) => part.cheaperAnswer !== undefined)

/** Returns the error for a subject that a rule set never counts; null if it does. */
export function subjectProblem({ name: ruleSet, uses, compiled }: NamedRuleSet, subject: string): ErrorText | null {
  const { by } = compiled[0].facts
  const own = typeof by === 'string' ? by : (by.per ?? 'site')
  const kind = parseSubject(subject)?.kind
  if (own === 'site') return kind === 'site' ? null : errorText('subject-must-be-site', { ruleSet })
  if (kind === 'site') return errorText('subject-is-site', { ruleSet })
  const holder = countedHolder(uses)
  if (holder) return kind === holder ? null : errorText(`subject-must-be-${holder}`, { ruleSet, subject })
  if (kind === 'token' || kind === 'share') return errorText(`subject-is-${kind}`, { ruleSet })
  if (own === 'network' && kind !== 'digest')
    return kind === 'network' ? null : errorText('subject-must-be-network', { ruleSet, subject })
  if (kind === 'network') return errorText('subject-is-network', { ruleSet })
  if (own === 'ip' && (kind === 'user' || kind === 'shared'))
    return errorText('subject-must-be-address', { ruleSet, subject })
  if (own !== 'ip' && kind !== 'digest' && isAnonymous(uses))
    return errorText('subject-must-be-digest', { ruleSet, subject })
  if (own === 'user' && kind === 'shared') return errorText('subject-without-address', { ruleSet })
  return null
}

/** Compiles all rule sets of a procedure or route, one of them with other terms. Throws InvalidRuleSet. */
function compileWith({ part }: Use, name: string, terms: OverrideTerms): readonly CompiledRuleSet[] {
  const declared = part.declared.map((set) => {
    const own = { ...set, name: set.name ?? part.path }
    return own.name === name ? withTerms(own, declaredTerms(own), terms) : own
  })
  return compileRuleSets(part.path, declared)
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
function newWarnings({ part }: Use, sets: readonly CompiledRuleSet[]): readonly RuleWarning[] {
  const known = new Set(ruleSetWarnings(part.compiled).map((warning) => JSON.stringify(warning)))
  return ruleSetWarnings(sets).filter((warning) => !known.has(JSON.stringify(warning)))
}
