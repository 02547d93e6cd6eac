import { z } from 'zod'
import { parseByteSize } from '#format/bytes.ts'
import { type Duration, toMilliseconds } from '#format/durations.ts'
import type { Unit } from '../rule-set.ts'

/** Far above any use, and low enough that running totals stay exact integers in Lua. */
const MAX_LIMIT = 1e12
const MAX_WINDOW_MS = 366 * 86_400_000

const wholeNumber = `must be a whole number from 1 to ${MAX_LIMIT}`
const wholeWindow = "must be from 1ms to 366d, such as '500ms', '1s', '5m', '1h' or '1d', or whole milliseconds"

/** A length of time, in milliseconds. */
export const durationSchema = z
  .custom<Duration>((value) => typeof value === 'number' || typeof value === 'string', wholeWindow)
  .transform(toMilliseconds)
  .pipe(z.int({ error: wholeWindow }).min(1, wholeWindow).max(MAX_WINDOW_MS, wholeWindow))

const sizeOfCalls = "a size such as 20MB needs unit: 'bytes'"
const count = z
  .int({ error: ({ input }) => (typeof input === 'string' ? `${wholeNumber}; ${sizeOfCalls}` : wholeNumber) })
  .min(1, wholeNumber)
  .max(MAX_LIMIT, wholeNumber)
const wholeSize = `${wholeNumber}, or a size such as 20MB`
const size = z
  .union([z.number(), z.string().transform(parseByteSize)], wholeSize)
  .pipe(z.int({ error: wholeSize }).min(1, wholeSize).max(MAX_LIMIT, wholeSize))

/** Leases are renewed each third of this time, and the store may take a tenth of a second to fail. */
const leaseSchema = durationSchema.pipe(z.number().min(1_000, 'must be at least 1s'))

const wholeSamples = 'must be a whole number from 2 to 100'

function schemasFor(unit: Unit) {
  const amount = unit === 'bytes' ? size : count
  const perWindow = { limit: amount, window: durationSchema, blockFor: durationSchema.optional() }
  return {
    'sliding-window-log': z.strictObject({ ...perWindow, algorithm: z.literal('sliding-window-log').optional() }),
    'fixed-window': z.strictObject({
      ...perWindow,
      algorithm: z.literal('fixed-window'),
      align: z.enum(['window', 'day', 'week', 'month']).optional(),
      timeZone: z.string().refine(isTimeZone, 'must be a time zone such as Europe/Berlin').optional(),
    }),
    'sliding-window-counter': z.strictObject({
      ...perWindow,
      algorithm: z.literal('sliding-window-counter'),
      samples: z.int({ error: wholeSamples }).min(2, wholeSamples).max(100, wholeSamples).default(10),
      oldest: z.enum(['weighted', 'whole']).default('weighted'),
    }),
    'leaky-bucket': z.strictObject({
      ...perWindow,
      algorithm: z.literal('leaky-bucket'),
      capacity: amount.optional(),
    }),
    'token-bucket': z.strictObject({ ...perWindow, algorithm: z.literal('token-bucket'), burst: amount.optional() }),
    concurrency: z.strictObject({ concurrent: count, lease: leaseSchema.default(30_000) }),
  }
}

/** Built once: building a schema costs more than using it. */
const SCHEMAS = { calls: schemasFor('calls'), bytes: schemasFor('bytes') } satisfies Record<Unit, unknown>

/** A declared rule by its algorithm, with amounts and durations as numbers. */
export type ParsedRules = {
  readonly [A in keyof typeof SCHEMAS.calls]: z.output<(typeof SCHEMAS.calls)[A]>
}

/** Returns the schema of the rules of each algorithm. A size needs a set that counts bytes. */
export function ruleSchemasFor(unit: Unit): { readonly [A in keyof ParsedRules]: z.ZodType<ParsedRules[A]> } {
  return SCHEMAS[unit]
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
