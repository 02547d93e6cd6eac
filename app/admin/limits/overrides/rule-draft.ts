import { parseDuration, spellDuration } from '#format/durations.ts'
import type { Rule, Unit } from '#server/limits/rule-set.ts'
import { parseAmount } from './spelling.ts'

/** Every algorithm by its field's name; `concurrency` is a rule of its own kind. */
export const algorithms = [
  'sliding-window-log',
  'sliding-window-counter',
  'fixed-window',
  'token-bucket',
  'leaky-bucket',
  'concurrency',
] as const
export type Algorithm = (typeof algorithms)[number]

export const aligns = ['', 'window', 'day', 'week', 'month'] as const
export const oldests = ['weighted', 'whole'] as const

/** A rule as it is typed. What its algorithm does not have is kept, so that trying another loses nothing. */
export interface RuleDraft {
  /** Tells it from its neighbours while it is moved about. */
  readonly id: number
  readonly algorithm: Algorithm
  /** Permits of a window; of concurrency, calls at the same time. */
  readonly limit: string
  /** A length of time; of concurrency, the lease. */
  readonly window: string
  readonly blockFor: string
  readonly align: (typeof aligns)[number]
  readonly timeZone: string
  readonly samples: string
  readonly oldest: (typeof oldests)[number]
  /** What a bucket holds. */
  readonly capacity: string
}

/** A rule to begin with. */
export const blankRule: RuleDraft = {
  id: 0,
  algorithm: 'sliding-window-log',
  limit: '',
  window: '1m',
  blockFor: '',
  align: '',
  timeZone: '',
  samples: '',
  oldest: 'weighted',
  capacity: '',
}

/** Only windows that go with the calendar have a time zone. */
export const hasTimeZone = ({ align }: RuleDraft): boolean => align !== '' && align !== 'window'

/** What of a typed rule is missing or is no such thing, by field. */
export type RuleProblems = Partial<Record<'limit' | 'window' | 'blockFor' | 'samples' | 'capacity', string>>

/** What is wrong with a rule before it is sent. Whether the rules can work together, the server says. */
export function ruleProblems(draft: RuleDraft, unit: Unit): RuleProblems {
  const { algorithm, limit, window, blockFor, samples, capacity } = draft
  const isConcurrency = algorithm === 'concurrency'
  const size = unit === 'bytes' ? 'A size such as 20 MB.' : 'A whole number from 1.'
  const time = 'Such as 30s, 5m, 1h or 1d; a number is milliseconds.'
  const isBucket = algorithm === 'token-bucket' || algorithm === 'leaky-bucket'
  return {
    ...(parseAmount(limit, isConcurrency ? 'calls' : unit) === null && {
      limit: isConcurrency ? 'A whole number from 1.' : size,
    }),
    ...(parseDuration(window) === null && !(isConcurrency && window === '') && { window: time }),
    ...(!isConcurrency && blockFor !== '' && parseDuration(blockFor) === null && { blockFor: time }),
    ...(algorithm === 'sliding-window-counter' &&
      samples !== '' &&
      !isBetween(Number(samples), 2, 100) && { samples: 'A whole number from 2 to 100.' }),
    ...(isBucket && capacity !== '' && parseAmount(capacity, unit) === null && { capacity: size }),
  }
}

const isBetween = (number: number, least: number, most: number): boolean =>
  Number.isInteger(number) && number >= least && number <= most

/** How long a window is that goes with the calendar. */
const calendar = { day: '1d', week: '7d', month: '31d' } as const

/** With another beginning of its windows, which says how long they are where it is the calendar's. */
export const alignedWith = (align: RuleDraft['align']): Partial<RuleDraft> =>
  align === '' || align === 'window' ? { align } : { align, window: calendar[align] }

/** A rule to type over. */
export function ruleDraftOf(rule: Rule, id: number): RuleDraft {
  if ('concurrent' in rule) {
    const window = rule.lease === undefined ? '' : String(spellDuration(rule.lease))
    return { ...blankRule, id, algorithm: 'concurrency', limit: String(rule.concurrent), window }
  }
  const draft: RuleDraft = {
    ...blankRule,
    id,
    algorithm: rule.algorithm ?? 'sliding-window-log',
    limit: String(rule.limit),
    window: String(spellDuration(rule.window)),
    blockFor: rule.blockFor === undefined ? '' : String(spellDuration(rule.blockFor)),
  }
  if (rule.algorithm === 'fixed-window') return { ...draft, align: rule.align ?? '', timeZone: rule.timeZone ?? '' }
  if (rule.algorithm === 'sliding-window-counter')
    return { ...draft, samples: String(rule.samples ?? ''), oldest: rule.oldest ?? 'weighted' }
  if (rule.algorithm === 'token-bucket') return { ...draft, capacity: String(rule.burst ?? '') }
  return rule.algorithm === 'leaky-bucket' ? { ...draft, capacity: String(rule.capacity ?? '') } : draft
}

/** The rule that a draft comes to, with nothing said that holds anyway; null while something in it is none. */
export function ruleOf(draft: RuleDraft, unit: Unit): Rule | null {
  if (Object.keys(ruleProblems(draft, unit)).length > 0) return null
  const { algorithm, align, timeZone, oldest } = draft
  const amount = parseAmount(draft.limit, algorithm === 'concurrency' ? 'calls' : unit)
  const window = parseDuration(draft.window)
  if (algorithm === 'concurrency')
    return typeof amount === 'number' ? { concurrent: amount, ...(window !== null && { lease: window }) } : null
  if (amount === null || window === null) return null
  const blockFor = parseDuration(draft.blockFor)
  const base = { limit: amount, window, ...(blockFor !== null && { blockFor }) }
  if (algorithm === 'fixed-window')
    return { ...base, algorithm, ...(align && { align }), ...(hasTimeZone(draft) && timeZone && { timeZone }) }
  if (algorithm === 'sliding-window-counter') {
    const samples = parseAmount(draft.samples, 'calls')
    return {
      ...base,
      algorithm,
      ...(typeof samples === 'number' && { samples }),
      ...(oldest === 'whole' && { oldest }),
    }
  }
  const capacity = draft.capacity === '' ? null : parseAmount(draft.capacity, unit)
  if (algorithm === 'token-bucket') return { ...base, algorithm, ...(capacity !== null && { burst: capacity }) }
  if (algorithm === 'leaky-bucket') return { ...base, algorithm, ...(capacity !== null && { capacity }) }
  return base
}
