import { z } from 'zod'
import type { Duration } from '#format/durations.ts'
import { invalid } from '#server/errors/invalid.ts'
import type { AnyRuleSet, Rule } from '#server/limits/rule-set.ts'

const amount = z.union([z.number(), z.string().max(40)])

/** The fields of rules of any algorithm, and the required ones. The compiler checks combinations and values. */
const ruleShape = z
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

const rule = z.unknown().refine((value): value is Rule => ruleShape.safeParse(value).success, invalid('rule'))

const duration = z.unknown().refine((value): value is Duration => amount.safeParse(value).success, invalid('wait'))

const rules = z
  .array(rule)
  .max(12, invalid('tooManyRules'))
  .refine((all): all is [Rule, ...Rule[]] => all.length > 0, invalid('noRules'))

/** The terms of an override, written as in code. Absent ones stay as declared. */
export const termsSchema = z
  .strictObject({
    rules: rules.optional(),
    mode: z.enum(['enforce', 'shadow', 'degrade']).optional(),
    /** Null for no waiting. */
    wait: duration.nullable().optional(),
    onStoreFailure: z.enum(['local', 'deny', 'allow']).optional(),
  })
  .refine((terms) => Object.values(terms).some((term) => term !== undefined), invalid('emptyTerms'))

export type OverrideTerms = z.output<typeof termsSchema>

/** Every term of a rule set; a null `wait` means none. */
export type AllTerms = Readonly<Required<OverrideTerms>>

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
  return { ...declared, rules, mode, onStoreFailure, ...(wait !== null && { wait }) }
}
