import { z } from 'zod'
import type { Duration } from '#format/durations.ts'
import { invalid } from '#server/errors/invalid.ts'
import type { AnyRuleSet, Rule } from '#server/limits/rule-set.ts'

const amount = z.union([z.number(), z.string().max(40)])

/** The fields of rules of any algorithm, and the required ones. The compiler checks combinations and values. */
export const ruleShape = z
  .strictObject({
    algorithm: z.string().max(40).optional(),
    limit: amount.optional(),
    window: amount.optional(),
    blockFor: amount.optional(),
    align: z.string().max(40).optional(),
    timeZone: z.string().max(64).optional(),
    samples: z.number().optional(),
    oldest: z.string().max(40).optional(),
    capacity: amount.optional(),
    burst: amount.optional(),
    concurrent: z.number().optional(),
    lease: amount.optional(),
  })
  .refine(({ concurrent, limit, window }) => concurrent !== undefined || (limit !== undefined && window !== undefined))

export const ruleSchema = z
  .unknown()
  .refine((value): value is Rule => ruleShape.safeParse(value).success, invalid('rule'))

export const durationSchema = z
  .unknown()
  .refine((value): value is Duration => amount.safeParse(value).success, invalid('wait'))

export const rulesSchema = z
  .array(ruleSchema)
  .max(12, invalid('tooManyRules'))
  .refine((all): all is [Rule, ...Rule[]] => all.length > 0, invalid('noRules'))

/** Far above any use, and a limit that it exceeds is refused. */
const MAX_COST = 1_000_000_000

export const costSchema = z.int(invalid('cost')).min(1, invalid('cost')).max(MAX_COST, invalid('cost'))

/** The terms of an override, written as in code. Absent ones stay as declared. */
export const termsSchema = z
  .strictObject({
    rules: rulesSchema.optional(),
    mode: z.enum(['enforce', 'shadow', 'degrade']).optional(),
    /** Null for no waiting. */
    wait: durationSchema.nullable().optional(),
    onStoreFailure: z.enum(['local', 'deny', 'allow']).optional(),
    /** Permits of one call, in place of what each procedure declares. */
    cost: costSchema.optional(),
    /** Whether successes are refunded, in place of what each procedure declares. */
    count: z.enum(['all', 'failures']).optional(),
    /** Until then every call is refused. */
    blockedUntil: z.iso.datetime().optional(),
  })
  .refine((terms) => Object.values(terms).some((term) => term !== undefined), invalid('emptyTerms'))

export type OverrideTerms = z.output<typeof termsSchema>

/** Returns the terms without a block that has ended; null if they said nothing else. */
export function withoutEndedBlock(terms: OverrideTerms, now: number): OverrideTerms | null {
  const { blockedUntil, ...others } = terms
  if (blockedUntil === undefined || Date.parse(blockedUntil) > now) return terms
  return Object.values(others).some((term) => term !== undefined) ? others : null
}

/** How a call is charged, which each procedure may declare for itself; and a block, which no code declares. */
type OwnTerm = 'cost' | 'count' | 'blockedUntil'

/** Every term that all procedures of a rule set share; a null `wait` means none. */
export type AllTerms = Readonly<Required<Omit<OverrideTerms, OwnTerm>>>

/** Returns the terms that the code declares for a rule set. */
export function declaredTerms(declared: AnyRuleSet): AllTerms {
  const {
    rules: [first, ...more],
    mode = 'enforce',
    wait = null,
    onStoreFailure = 'local',
  } = declared
  return { rules: [first, ...more], mode, wait, onStoreFailure }
}

/** Returns a declared rule set with the override's terms in place of its own. */
export function withTerms({ wait: _, ...declared }: AnyRuleSet, own: AllTerms, terms: OverrideTerms): AnyRuleSet {
  const { rules = own.rules, mode = own.mode, wait = own.wait, onStoreFailure = own.onStoreFailure } = terms
  return { ...declared, rules, mode, onStoreFailure, ...(wait !== null && { wait }), ...chargingIn(terms) }
}

/** Returns what an override says of how a call is charged. */
export const chargingIn = ({ cost, count }: OverrideTerms): { cost?: number; count?: 'all' | 'failures' } => ({
  ...(cost !== undefined && { cost }),
  ...(count !== undefined && { count }),
})
