import type { Override } from '#server/limits/overrides.ts'
import { compileRuleSets, InvalidRuleSet, TwinRules } from '#server/limits/rules/compile.ts'
import type { CompiledRule, CompiledRuleSet } from '#server/limits/rules/compiled.ts'
import { ruleSetWarnings } from '#server/limits/rules/warnings.ts'
import type { Catalogue, NamedRuleSet, Use } from './catalogue.ts'
import { limiterTarget, type OverrideTarget } from './override-target.ts'
import { declaredTerms, type OverrideTerms, withTerms } from './override-terms.ts'
import { parseSubject } from './subject-key.ts'

export interface WrittenOverride {
  readonly ruleSet: string
  readonly target: OverrideTarget
  readonly terms: OverrideTerms
}

/** An override ready for the limiter, or the reason it cannot apply. */
export type CompiledOverride = { readonly problem: null; readonly override: Override } | { readonly problem: string }

/** Compiles an override against what the code declares now. It must be valid for every use of the rule set. */
export function compileOverride(
  catalogue: Catalogue,
  written: WrittenOverride,
  largestBytes: number,
): CompiledOverride {
  const set = catalogue.ruleSets.get(written.ruleSet)
  if (!set) return { problem: `There is no rule set ${written.ruleSet}.` }
  const misplaced = targetProblem(set, written.target) ?? waitProblem(set, written.terms)
  if (misplaced !== null) return { problem: misplaced }
  try {
    const [sets] = usesOnce(set).map((use) => compileWith(use, set.name, written.terms))
    const own = (sets ?? []).filter(({ facts }) => facts.name === set.name)
    const problem = tooSmall(own, largestBytes)
    if (problem !== null) return { problem }
    return { problem: null, override: { ruleSet: set.name, target: limiterTarget(written.target), sets: own } }
  } catch (error) {
    if (error instanceof TwinRules) return { problem: twinProblem(error) }
    if (error instanceof InvalidRuleSet) return { problem: error.message }
    throw error
  }
}

/** Unlike code, an override cannot rename a rule set to resolve the conflict. */
const twinProblem = ({ policy }: TwinRules): string =>
  `Two rules would be named ${policy}, for their windows are as long: drop one, or change its window.`

/** Returns warnings about rules that work but are probably a mistake; without those that the declared rules cause as
 *  well. */
export function overrideWarnings(catalogue: Catalogue, { ruleSet, terms }: WrittenOverride): readonly string[] {
  const set = catalogue.ruleSets.get(ruleSet)
  const warnings = set ? usesOnce(set).flatMap((use) => newWarnings(use, compileWith(use, set.name, terms))) : []
  return [...new Set(warnings)]
}

/** Returns one use per list of rule sets: procedures that share a list share its problems. */
function usesOnce({ uses }: NamedRuleSet): readonly Use[] {
  const lists = uses.map(({ part }) => part.declared)
  return uses.filter(({ part }, at) => lists.indexOf(part.declared) === at)
}

/** Returns what a rule set can be overridden for: no individuals if all are counted together, and no roles if the role
 *  is not known yet. */
export function possibleTargets({ uses, compiled }: NamedRuleSet): readonly OverrideTarget['kind'][] {
  if (countsTogether(compiled[0])) return ['all']
  return isAnonymous(uses) || countsTokens(uses) ? ['all', 'subject'] : ['all', 'role', 'subject']
}

const countsTokens = (uses: readonly Use[]): boolean => uses.every(({ part }) => part.isForTokens)

const isAnonymous = (uses: readonly Use[]): boolean => uses.every(({ part }) => part.isAnonymous)

function targetProblem(set: NamedRuleSet, target: OverrideTarget): string | null {
  const { name } = set
  if (!possibleTargets(set).includes(target.kind)) {
    if (target.kind === 'role' && countsTokens(set.uses))
      return `${name} counts tokens, which have no role: override it for all, or for one token.`
    if (target.kind === 'role' && !countsTogether(set.compiled[0]))
      return `${name} is taken before it is known who calls: override it for all, or for one address.`
    return `${name} counts everybody together: it can only be overridden for all.`
  }
  return target.kind === 'subject' ? subjectProblem(set, target.subject) : null
}

/** Whoever guesses a name could make its owner wait, and nothing reports when a waiting guesser leaves. */
function waitProblem({ name, uses }: NamedRuleSet, { wait = null }: OverrideTerms): string | null {
  if (wait === null || !isAnonymous(uses)) return null
  return `${name} is taken before it is known who calls: nobody can wait for it.`
}

/** Returns why a rule set never counts this subject; null if it does. */
export function subjectProblem({ name, uses, compiled }: NamedRuleSet, subject: string): string | null {
  const { by } = compiled[0].facts
  const own = typeof by === 'string' ? by : (by.per ?? 'site')
  const kind = parseSubject(subject)?.kind
  if (own === 'site') return kind === 'site' ? null : `${name} counts everybody together, as site.`
  if (kind === 'site') return `${name} counts each by themselves, and nobody as site.`
  if (countsTokens(uses)) return kind === 'token' ? null : `${name} counts tokens, and ${subject} is none.`
  if (kind === 'token') return `${name} counts no tokens: override what they take beside it.`
  if (own === 'ip' && (kind === 'user' || kind === 'shared')) return `${name} counts addresses, and ${subject} is none.`
  if (own !== 'ip' && kind !== 'digest' && isAnonymous(uses))
    return `${name} counts names that were tried, by digests of them, and ${subject} is none.`
  if (own === 'user' && kind === 'shared') return `${name} counts a shared account as one, by its id alone.`
  return null
}

function countsTogether({ facts: { by } }: CompiledRuleSet): boolean {
  return by === 'site' || (typeof by === 'object' && by.per === null)
}

/** Compiles all rule sets of a procedure or route, one of them with other terms. Throws InvalidRuleSet. */
function compileWith({ part }: Use, name: string, terms: OverrideTerms): readonly CompiledRuleSet[] {
  const declared = part.declared.map((set) => {
    const own = { ...set, name: set.name ?? part.path }
    return own.name === name ? withTerms(own, declaredTerms(own), terms) : own
  })
  return compileRuleSets(part.path, declared)
}

/** Calls are charged their bytes, up to the largest upload, and one above a limit would wait forever. Sets in other
 *  modes refuse nobody, so they are not checked. */
function tooSmall(sets: readonly CompiledRuleSet[], largestBytes: number): string | null {
  for (const { facts, rules } of sets) {
    if (facts.unit !== 'bytes' || facts.cost !== null || facts.mode !== 'enforce') continue
    const small = rules.find((rule: CompiledRule) => rule.limit < largestBytes)
    if (small) return `${facts.name}: the largest upload, of ${largestBytes} bytes, could never pass ${small.words}.`
  }
  return null
}

/** Returns the warnings that other terms cause and the declared ones do not. */
function newWarnings({ part }: Use, sets: readonly CompiledRuleSet[]): readonly string[] {
  const known = new Set(ruleSetWarnings(part.path, part.compiled))
  const fresh = ruleSetWarnings(part.path, sets).filter((warning) => !known.has(warning))
  return fresh.map((warning) => warning.slice(`${part.path}: `.length))
}
