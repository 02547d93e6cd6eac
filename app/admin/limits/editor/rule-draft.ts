import { type Duration, parseDuration, spellDuration } from '#format/durations.ts'
import type { adminOverrides } from '#messages/en/admin-overrides.ts'
import type { Amount, Rule, Unit } from '#server/limits/rule-set.ts'
import type { Algorithm } from '#server/limits/rules/compiled.ts'

/** Every algorithm. `concurrency` is a separate kind of rule. */
export const algorithms = [
  'sliding-window-log',
  'sliding-window-counter',
  'fixed-window',
  'token-bucket',
  'leaky-bucket',
  'concurrency',
] as const satisfies readonly Algorithm[]

export const aligns = ['', 'window', 'day', 'week', 'month'] as const
export const oldests = ['weighted', 'whole'] as const

/** A rule as form values. Keeps the options of other algorithms, so that switching loses nothing. */
export interface RuleDraft {
  /** The key of its row. */
  readonly id: number
  readonly algorithm: Algorithm
  /** Permits per window; for concurrency, concurrent calls. */
  readonly limit: string
  /** A duration; for concurrency, the lease. */
  readonly window: string
  readonly blockFor: string
  readonly align: (typeof aligns)[number]
  readonly timeZone: string
  readonly samples: string
  readonly oldest: (typeof oldests)[number]
  /** The capacity of a bucket. */
  readonly capacity: string
}

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

/** Only calendar windows have a time zone. */
export const hasTimeZone = ({ align }: RuleDraft): boolean => align !== '' && align !== 'window'

/** The missing or invalid fields of a rule, each with the message to show. */
export type RuleProblems = Partial<
  Record<'limit' | 'window' | 'blockFor' | 'samples' | 'capacity', Exclude<keyof typeof adminOverrides.problem, 'wait'>>
>

/** Checks the fields of a rule. The server checks whether the rules work together. */
export function ruleProblems(draft: RuleDraft, unit: Unit): RuleProblems {
  const { algorithm, limit, window, blockFor, samples, capacity } = draft
  const isConcurrency = algorithm === 'concurrency'
  const amount = unit === 'bytes' ? 'size' : 'count'
  const isBucket = algorithm === 'token-bucket' || algorithm === 'leaky-bucket'
  return {
    ...(parseAmount(limit, isConcurrency ? 'calls' : unit) === null && {
      limit: isConcurrency ? 'count' : amount,
    }),
    ...(parseDuration(window) === null && !(isConcurrency && window === '') && { window: 'duration' }),
    ...(!isConcurrency && blockFor !== '' && parseDuration(blockFor) === null && { blockFor: 'duration' }),
    ...(algorithm === 'sliding-window-counter' &&
      samples !== '' &&
      !areSamples(Number(samples)) && { samples: 'samples' }),
    ...(isBucket && capacity !== '' && parseAmount(capacity, unit) === null && { capacity: amount }),
  }
}

const areSamples = (count: number): boolean => Number.isInteger(count) && count >= 2 && count <= 100

/** The length of each calendar window. */
const calendar = { day: '1d', week: '7d', month: '31d' } as const

/** Changes the alignment of the window, which sets its length if it follows the calendar. */
export const alignedWith = (align: RuleDraft['align']): Partial<RuleDraft> =>
  align === '' || align === 'window' ? { align } : { align, window: calendar[align] }

/** The options of every algorithm. */
interface Options {
  readonly limit: Amount
  readonly align?: Exclude<RuleDraft['align'], ''> | undefined
  readonly timeZone?: string | undefined
  readonly samples?: number | undefined
  readonly oldest?: RuleDraft['oldest'] | undefined
  readonly burst?: Amount | undefined
  readonly capacity?: Amount | undefined
}

/** The form values of a rule. */
export function toRuleDraft(rule: Rule, id: number): RuleDraft {
  if ('concurrent' in rule) {
    const window = durationText(rule.lease)
    return { ...blankRule, id, algorithm: 'concurrency', limit: String(rule.concurrent), window }
  }
  const { algorithm = blankRule.algorithm, limit, window, blockFor } = rule
  const options: Options = rule
  const { align = '', timeZone = '', samples = '', oldest = 'weighted', burst = '', capacity = burst } = options
  return {
    ...{ id, algorithm, align, timeZone, oldest, limit: String(limit) },
    ...{ window: durationText(window), blockFor: durationText(blockFor) },
    ...{ samples: String(samples), capacity: String(capacity) },
  }
}

const durationText = (duration: Duration | undefined): string =>
  duration === undefined ? '' : String(spellDuration(duration))

/** The rule of a draft, without defaults; null while a field is invalid. */
export function parseRuleDraft(draft: RuleDraft, unit: Unit): Rule | null {
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

/** Parses an amount of permits: a whole number, or for bytes a size such as `20 MB` or `20 MiB`. Null for anything else. A comma
 *  separates thousands of permits, but not of a size: `1,5 GB` is not 15. */
export function parseAmount(text: string, unit: Unit): Amount | null {
  const [, digits = '', suffix] = /^([1-9]\d{0,2}(?:,\d{3})+|\d+(?:\.\d+)?) ?([kmgt]?i?b)?$/i.exec(text.trim()) ?? []
  const amount = Number(digits.replaceAll(',', ''))
  if (amount <= 0) return null
  // Stored as `20MB`, the only form that every version reads.
  const size = sizes.find((candidate) => candidate === suffix?.toUpperCase().replace('I', ''))
  if (size) return unit === 'bytes' && !digits.includes(',') ? `${amount}${size}` : null
  return Number.isInteger(amount) ? amount : null
}

const sizes = ['B', 'KB', 'MB', 'GB', 'TB'] as const
