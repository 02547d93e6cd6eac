import { errorText } from '#server/errors/refuse.ts'
import type { ErrorText } from '#server/errors/refused.ts'
import { countsTogether } from '#server/limits/rules/compiled.ts'
import type { NamedRuleSet, Use } from '../catalogue.ts'
import { parseSubject } from '../subject-key.ts'
import type { OverrideTarget } from './override-target.ts'
import type { OverrideTerms } from './override-terms.ts'

/** Returns why these terms cannot hold for this target, whatever the rules say; null if they can. */
export const misplacedTerms = (set: NamedRuleSet, target: OverrideTarget, terms: OverrideTerms): ErrorText | null =>
  trialProblem(set, target, terms) ??
  argumentProblem(set, target, terms) ??
  targetProblem(set, target) ??
  waitProblem(set, terms) ??
  degradeProblem(set, terms) ??
  costProblem(set, terms) ??
  countProblem(set, terms)

/** Returns what a rule set can be overridden for: no individuals if all are counted together, and no roles if the role
 *  is not known yet. */
export function possibleTargets({ uses, compiled }: NamedRuleSet): readonly OverrideTarget['kind'][] {
  const { facts } = compiled[0]
  const values = typeof facts.by === 'object' ? (['argument'] as const) : []
  if (countsTogether(facts)) return ['all', ...values]
  return isAnonymous(uses) || countedHolder(uses)
    ? ['all', 'subject', ...values]
    : ['all', 'role', 'subject', ...values]
}

/** Returns what a rule set counts, if that is no caller of the site; null for all others. */
export function countedHolder(uses: readonly Use[]): 'token' | 'share' | null {
  if (uses.every(({ part }) => part.isForTokens)) return 'token'
  return uses.every(({ part }) => part.isForShares) ? 'share' : null
}

const isAnonymous = (uses: readonly Use[]): boolean => uses.every(({ part }) => part.isAnonymous)

/** A trial says only which rules are tried. */
function trialProblem({ name }: NamedRuleSet, { kind }: OverrideTarget, { rules, ...more }: OverrideTerms) {
  if (kind !== 'trial' || (rules && Object.values(more).every((term) => term === undefined))) return null
  return errorText('trial-of-rules', { ruleSet: name })
}

/** The value of an argument is blocked for everybody, and has no rules of its own. */
function argumentProblem(set: NamedRuleSet, { kind }: OverrideTarget, { blockedUntil, ...more }: OverrideTerms) {
  if (kind !== 'argument') return null
  const isBlock = blockedUntil !== undefined && Object.values(more).every((term) => term === undefined)
  return isBlock && possibleTargets(set).includes(kind) ? null : errorText('block-of-argument', { ruleSet: set.name })
}

function targetProblem(set: NamedRuleSet, target: OverrideTarget): ErrorText | null {
  const { name: ruleSet } = set
  if (target.kind === 'trial') return null
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

/** Bytes cost what the call moves; a number of calls says nothing of them. */
function costProblem({ name, compiled }: NamedRuleSet, { cost }: OverrideTerms): ErrorText | null {
  if (cost === undefined || compiled[0].facts.unit === 'calls') return null
  return errorText('cost-of-bytes', { ruleSet: name })
}

function countProblem({ uses }: NamedRuleSet, { count }: OverrideTerms): ErrorText | null {
  if (count !== 'failures') return null
  const blind = uses.find(({ part }) => !knowsOutcome(part))
  return blind ? errorText('outcome-unknown', { procedure: blind.part.path }) : null
}

/** Whether it is known of each call whether it succeeded: of procedures, and of routes that count failures already. */
export const knowsOutcome = ({ kind, compiled }: Use['part']): boolean =>
  kind !== 'route' || compiled.some(({ facts }) => facts.count === 'failures')
