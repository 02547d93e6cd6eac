import { type Duration, spellDuration } from '#format/durations.ts'
import type { Unit } from '../rule-set.ts'
import type { Algorithm, BaseRule, Bucket, FixedWindow, RuleOf } from './compiled.ts'
import type { FlawCode, RuleFlaw } from './flaw.ts'
import type { ParsedRules } from './rule-schemas.ts'

/** A rule that cannot work, although each of its fields is valid by itself. */
export class UnworkableRule extends Error {
  override readonly name = 'UnworkableRule'
  readonly flaw: RuleFlaw

  constructor(problem: string, code: FlawCode, params: RuleFlaw['params'] = {}) {
    super(problem)
    this.flaw = { code, params }
  }
}

/** The properties of its set that a rule needs. */
export interface RuleFrame {
  readonly set: string
  readonly unit: Unit
  /** How long a call may wait for its turn in a bucket that paces; -1 in a set whose calls do not wait. */
  readonly maxDelayMs: number
  /** Scales every amount: for all addresses of an account, or for one network. */
  readonly scale: (amount: number) => number
}

/** Compiles a declared rule for its algorithm. Throws UnworkableRule. */
export const compileRule: { readonly [A in Algorithm]: (frame: RuleFrame, rule: ParsedRules[A]) => RuleOf[A] } = {
  'sliding-window-log': base,
  'fixed-window': fixedWindow,
  'sliding-window-counter': (frame, rule) => {
    const own = base(frame, rule)
    const sampleMs = rule.window / rule.samples
    if (!Number.isInteger(sampleMs)) {
      const { samples } = rule
      throw new UnworkableRule(`window: must divide evenly into ${samples} samples`, 'rule-uneven-samples', { samples })
    }
    return { ...own, samples: rule.samples, isWhole: rule.oldest === 'whole' }
  },
  'leaky-bucket': (frame, rule) => ({ ...bucket(frame, rule, rule.capacity), maxDelayMs: frame.maxDelayMs }),
  'token-bucket': (frame, rule) => bucket(frame, rule, rule.burst),
  concurrency: ({ set, unit, scale }, { concurrent, lease }) => {
    if (unit === 'bytes') {
      const problem = 'concurrent: counts calls, so it needs a set of its own'
      throw new UnworkableRule(problem, 'rule-concurrency-of-bytes', { ruleSet: set })
    }
    const limit = scale(concurrent)
    return {
      policy: `${set}-concurrent`,
      parts: { concurrent: limit },
      limit,
      windowMs: lease,
      blockMs: 0,
      lease: '',
    }
  },
}

/** The properties of a declared rule that make its history useless to another: how it divides time. */
export function cutOf(rule: ParsedRules[Algorithm]): string {
  if ('concurrent' in rule) return String(rule.lease)
  const calendar = 'align' in rule ? [rule.align, rule.timeZone] : []
  const samples = 'samples' in rule ? [rule.samples] : []
  return [rule.window, ...calendar, ...samples].filter((part) => part !== undefined).join('/')
}

interface PerWindow {
  readonly limit: number
  readonly window: number
  readonly blockFor?: number | undefined
}

function base({ set, unit, scale }: RuleFrame, { limit: declared, window, blockFor }: PerWindow): BaseRule {
  const limit = scale(declared)
  if (blockFor !== undefined && blockFor <= window)
    throw new UnworkableRule(`blockFor: must be longer than the window of ${spellDuration(window)}`, 'rule-block')
  return {
    policy: `${set}-${spellDuration(window)}`,
    parts: { limit, unit, window },
    limit,
    windowMs: window,
    blockMs: blockFor ?? 0,
  }
}

/** The `window` that each part of the calendar requires: its longest duration, apart from clock changes. */
const CALENDAR = { day: '1d', week: '7d', month: '31d' } satisfies Record<string, Duration>

function fixedWindow(frame: RuleFrame, rule: ParsedRules['fixed-window']): FixedWindow {
  const own = base(frame, rule)
  const { align, timeZone = 'UTC' } = rule
  if (align === undefined || align === 'window') {
    if (rule.timeZone !== undefined)
      throw new UnworkableRule('timeZone: needs align: day, week or month', 'rule-time-zone-unused')
    return { ...own, calendar: null, boundaries: align ? [0] : [] }
  }
  if (spellDuration(own.windowMs) !== CALENDAR[align])
    throw new UnworkableRule(`window: must be ${CALENDAR[align]} with align: ${align}`, 'rule-calendar-window', {
      align,
    })
  const parts = { limit: own.limit, unit: frame.unit, window: own.windowMs, calendar: align }
  return { ...own, policy: `${frame.set}-${align}`, parts, calendar: { align, timeZone }, boundaries: [] }
}

function bucket(frame: RuleFrame, rule: PerWindow, declaredCapacity = rule.limit): Bucket {
  const own = base(frame, rule)
  const limit = frame.scale(declaredCapacity)
  const divisor = greatestCommonDivisor(own.limit, rule.window)
  const scale = rule.window / divisor
  const leak = own.limit / divisor
  if (2 * limit * scale > Number.MAX_SAFE_INTEGER)
    throw new UnworkableRule('limit: in this window it is too odd to count exactly; say a rounder one', 'rule-inexact')
  const windowMs = Math.ceil((limit * scale) / leak)
  const parts = { limit: own.limit, unit: frame.unit, window: rule.window, atOnce: limit }
  return { ...own, parts, limit, windowMs, leak, scale }
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b)
}
