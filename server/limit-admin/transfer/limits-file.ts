import { z } from 'zod'
import { noteSchema } from '#server/audit/note.ts'
import { addedSetSchema } from '../added/added-set.ts'
import type { StoredOverride, StoredSet } from '../overrides/override-rows.ts'
import { procedureSchema, ruleSetSchema, targetSchema } from '../overrides/override-target.ts'
import { ruleSchema, ruleShape, termsSchema } from '../overrides/override-terms.ts'

export const overrideEntry = z.strictObject({
  ruleSet: ruleSetSchema,
  procedure: procedureSchema.optional(),
  target: targetSchema,
  terms: termsSchema,
  note: noteSchema.optional(),
})

export const ruleSetEntry = z.strictObject({
  name: ruleSetSchema,
  procedure: procedureSchema,
  set: addedSetSchema,
  note: noteSchema.optional(),
})

const frame = { $schema: z.string().optional(), version: z.literal(1) }

/** The file before its entries are looked at, each of which has errors of its own. */
export const fileFrame = z.strictObject({
  ...frame,
  overrides: z.array(z.unknown()).default([]),
  ruleSets: z.array(z.unknown()).default([]),
})

/** All overrides and added rule sets, as they are exported and imported. */
export const limitsFile = z.strictObject({
  ...frame,
  overrides: z.array(overrideEntry).default([]),
  ruleSets: z.array(ruleSetEntry).default([]),
})

export type LimitsFile = z.input<typeof limitsFile>

/** Returns the file's JSON schema, which docs/limits/overrides.schema.json has as well. */
export const limitsFileSchema = () =>
  z.toJSONSchema(limitsFile, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema === ruleSchema) Object.assign(jsonSchema, z.toJSONSchema(ruleShape, { io: 'input' }))
    },
  })

/** Returns the file of what is stored, without what this version of the code does not understand. */
export function createFile(overrides: readonly StoredOverride[], sets: readonly StoredSet[]): LimitsFile {
  return {
    version: 1,
    overrides: overrides.flatMap(({ ruleSet, procedure, target, terms, note }) => {
      return terms ? { ruleSet, ...(procedure && { procedure }), target, terms, ...(note && { note }) } : []
    }),
    ruleSets: sets.flatMap(({ name, procedure, set, note }) => {
      return set ? { name, procedure, set, ...(note && { note }) } : []
    }),
  }
}
