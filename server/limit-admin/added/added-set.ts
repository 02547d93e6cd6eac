import { z } from 'zod'
import { invalid } from '#server/errors/invalid.ts'
import { LEAST_NETWORKS } from '#server/limits/rules/set-schema.ts'
import { costSchema, durationSchema, rulesSchema } from '../overrides/override-terms.ts'

/** What a rule set counts, as in code. The compiler checks whether the procedure has the argument. */
const bySchema = z.union([
  z.enum(['subject', 'ip', 'network', 'user', 'site']),
  z.strictObject({ input: z.string().max(64), per: z.literal('subject').optional() }),
])

/** A rule set that is put on a procedure at run time, written as in code. It counts calls. */
export const addedSetSchema = z.strictObject({
  by: bySchema,
  rules: rulesSchema,
  mode: z.enum(['enforce', 'shadow', 'degrade']).default('shadow'),
  cost: costSchema.optional(),
  count: z.enum(['all', 'failures']).optional(),
  wait: durationSchema.optional(),
  onStoreFailure: z.enum(['local', 'deny', 'allow']).optional(),
  /** For a set that counts all callers together: how many networks it takes to use it up. */
  networks: z.int(invalid('networks')).min(LEAST_NETWORKS, invalid('networks')).optional(),
})

export type AddedSet = z.output<typeof addedSetSchema>

export interface WrittenSet {
  readonly name: string
  /** The path of a procedure, or the label of a route. */
  readonly procedure: string
  readonly set: AddedSet
}

const PREFIX = 'added/'

/** Returns the place of an added set as stored, among the targets of overrides: older versions ignore it. */
export const addedPlace = (procedure: string): string => `${PREFIX}${procedure}`

/** Returns the procedure of an added set by its stored place; null for the place of an override. */
export const procedureAt = (place: string): string | null =>
  place.startsWith(PREFIX) ? place.slice(PREFIX.length) : null

/** Returns the set as one that refuses nothing: how every new one begins. */
export function inShadow({ wait: _, onStoreFailure, ...set }: AddedSet): AddedSet {
  return {
    ...set,
    mode: 'shadow',
    ...(onStoreFailure !== undefined && onStoreFailure !== 'deny' && { onStoreFailure }),
  }
}
