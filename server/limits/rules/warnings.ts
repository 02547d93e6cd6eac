import { formatAmount, formatRule } from '#format/rules.ts'
import type { Unit } from '../rule-set.ts'
import { type CompiledRule, type CompiledRuleSet, countsTogether, type FixedWindow, type SetFacts } from './compiled.ts'

/** Returns warnings about valid rules that cannot be intended: a rule that never refuses, because another of its set
 *  always refuses first; and a count of all callers together, not divided by network, of which one subject can use more
 *  than a tenth, and so block all others. */
export function ruleSetWarnings(sets: readonly CompiledRuleSet[]): readonly RuleWarning[] {
  const bounds = sets.flatMap(boundsOf)
  const undivided = sets.filter(({ network }) => network === null).flatMap(boundsOf)
  return [...bounds.flatMap((bound) => idle(bound, bounds)), ...undivided.flatMap((bound) => lever(bound, bounds))]
}

type NamedRule = Pick<CompiledRule, 'policy' | 'parts'>

export type RuleWarning =
  /** `rule` never refuses, because `other` always does so first. */
  | { readonly kind: 'idle'; readonly rule: NamedRule; readonly other: NamedRule }
  /** One subject can use more than a tenth of `rule`: `other` lets it take `most`, or nothing holds it to less. */
  | {
      readonly kind: 'lever'
      readonly rule: NamedRule
      readonly other: { readonly rule: NamedRule; readonly most: number; readonly unit: Unit } | null
    }

/** A warning in English, for the log. */
export function describeWarning(warning: RuleWarning): string {
  const rule = named(warning.rule)
  if (warning.kind === 'idle') return `${rule} never refuses, for ${named(warning.other)} always does so first`
  const { other } = warning
  const reason = other
    ? `${named(other.rule)} lets it take ${formatAmount(other.most, other.unit, 'en')}`
    : 'no rule that enforces holds it to less'
  return `one subject can use more than a tenth of ${rule}: ${reason}`
}

/** A rule, and its bound for one subject. */
interface Bound {
  readonly facts: SetFacts
  readonly rule: CompiledRule
  /** The most that the rule ever allows in a given number of milliseconds. */
  most(ms: number): number
}

function boundsOf(set: CompiledRuleSet): readonly Bound[] {
  const { facts } = set
  switch (set.algorithm) {
    case 'sliding-window-log':
      return set.rules.map((rule) => ({ facts, rule, most: (ms) => rule.limit * Math.ceil(ms / rule.windowMs) }))
    case 'fixed-window':
      // A span overlaps one window more than fit into it.
      return set.rules.map((rule) => ({ facts, rule, most: (ms) => rule.limit * (Math.ceil(ms / shortest(rule)) + 1) }))
    case 'sliding-window-counter':
      // Weighting assumes an even spread of calls that may all have come at the end of the oldest sub-window.
      return set.rules.map((rule) => ({
        facts,
        rule,
        most: (ms) => (rule.isWhole ? 1 : 2) * rule.limit * Math.ceil(ms / rule.windowMs),
      }))
    case 'leaky-bucket':
    case 'token-bucket':
      return set.rules.map((rule) => ({
        facts,
        rule,
        most: (ms) => rule.limit + Math.floor((ms * rule.leak) / rule.scale),
      }))
    case 'concurrency':
      // The number of short calls is unbounded.
      return set.rules.map((rule) => ({ facts, rule, most: () => Number.POSITIVE_INFINITY }))
  }
}

const HOUR_MS = 3_600_000

/** The shortest duration of a rule's window: clocks go forward by an hour, and February has 28 days. */
function shortest({ windowMs, calendar }: FixedWindow): number {
  if (!calendar) return windowMs
  return (calendar.align === 'month' ? 28 * 24 * HOUR_MS : windowMs) - HOUR_MS
}

function idle(bound: Bound, bounds: readonly Bound[]): RuleWarning[] {
  const stricter = bounds.find((other) => {
    return other !== bound && other.facts.name === bound.facts.name && other.most(seen(bound)) <= bound.rule.limit
  })
  return stricter ? [{ kind: 'idle', rule: nameOf(bound), other: nameOf(stricter) }] : []
}

/** The longest span whose calls a rule counts together; concurrent calls may have begun at any time. */
function seen({ rule }: Bound): number {
  if ('lease' in rule) return Number.POSITIVE_INFINITY
  if ('samples' in rule) return rule.windowMs + rule.windowMs / rule.samples
  return 'calendar' in rule && rule.calendar ? rule.windowMs + HOUR_MS : rule.windowMs
}

function lever(common: Bound, bounds: readonly Bound[]): RuleWarning[] {
  if (!countsTogether(common.facts) || common.facts.mode === 'shadow') return []
  const { limit } = common.rule
  const held = bounds.map((own) => ({
    own,
    most: holds(own, common) ? shareOf(own, common) : Number.POSITIVE_INFINITY,
  }))
  const [tightest] = held.toSorted((a, b) => a.most - b.most)
  if (tightest && tightest.most <= limit / 10) return []
  const other =
    tightest && Number.isFinite(tightest.most)
      ? { rule: nameOf(tightest.own), most: tightest.most, unit: common.facts.unit }
      : null
  return [{ kind: 'lever', rule: nameOf(common), other }]
}

/** Whether one set limits each subject's part of another set's common count: for a count of one argument, its own count
 *  does too. */
function holds({ facts }: Bound, { facts: common }: Bound): boolean {
  const { by } = facts
  const isOwn = typeof by === 'string' || (typeof common.by === 'object' && by.input === common.by.input)
  return (
    isOwn &&
    !countsTogether(facts) &&
    facts.mode === 'enforce' &&
    facts.unit === common.unit &&
    (facts.scope === 'cluster' || common.scope === 'instance') &&
    (facts.count === 'all' || common.count === 'failures')
  )
}

/** The permits of a common rule that one subject can take within its window. */
function shareOf(own: Bound, common: Bound): number {
  if ('lease' in common.rule) return 'lease' in own.rule ? own.rule.limit : Number.POSITIVE_INFINITY
  const most = own.most(common.rule.windowMs)
  const [taken, counted] = [own, common].map(({ facts }) => facts.cost ?? (facts.unit === 'calls' ? 1 : null))
  if (taken === counted) return most
  // The result of a cost function is at least 1.
  const least = typeof taken === 'function' ? 1 : taken
  const isKnown = typeof least === 'number' && typeof counted === 'number'
  return isKnown ? Math.floor(most / least) * counted : Number.POSITIVE_INFINITY
}

const nameOf = ({ rule: { policy, parts } }: Bound): NamedRule => ({ policy, parts })

const named = ({ policy, parts }: NamedRule): string => `${policy} (${formatRule(parts, 'en')})`
