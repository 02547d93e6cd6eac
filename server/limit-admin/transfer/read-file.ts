import type { z } from 'zod'
import { firstProblem } from '#server/errors/invalid.ts'
import { errorText } from '#server/errors/refuse.ts'
import type { ErrorText } from '#server/errors/refused.ts'
import { addedPlace } from '../added/added-set.ts'
import { MOST_OVERRIDES } from '../overrides/override-rows.ts'
import { placeText } from '../overrides/override-target.ts'
import { fileFrame, overrideEntry, ruleSetEntry } from './limits-file.ts'

/** An entry of a file by where it stands: 'overrides 3 (view)'. */
export interface EntryProblem {
  readonly entry: string
  readonly problem: ErrorText
}

interface Placed {
  /** Where it stands in the file. */
  readonly entry: string
  readonly ruleSet: string
  /** As stored. */
  readonly place: string
}

export type OverrideEntry = Placed & { readonly written: z.output<typeof overrideEntry> }
export type RuleSetEntry = Placed & { readonly written: z.output<typeof ruleSetEntry> }

export interface ReadFile {
  readonly overrides: readonly OverrideEntry[]
  readonly ruleSets: readonly RuleSetEntry[]
  readonly problems: readonly EntryProblem[]
}

/** Reads a file's entries, and what is wrong with others. Returns a problem of the whole file if it is none of limits, or has
 *  too many entries. */
export function readFile(file: unknown): ReadFile | ErrorText {
  const framed = fileFrame.safeParse(file)
  if (!framed.success) return errorText('import-not-limits', { problem: sayWhere(framed.error) })
  const { overrides, ruleSets } = framed.data
  const count = overrides.length + ruleSets.length
  if (count > MOST_OVERRIDES) {
    const inOverrides = overrides.length > MOST_OVERRIDES
    const at = MOST_OVERRIDES - (inOverrides ? 0 : overrides.length)
    const entry = inOverrides ? nameEntry('overrides', at, overrides[at]) : nameEntry('ruleSets', at, ruleSets[at])
    return errorText('import-too-many', { count, limit: MOST_OVERRIDES, entry })
  }
  const problems: EntryProblem[] = []
  const seen = new Map<string, string>()
  const read = <Written>(
    kind: 'overrides' | 'ruleSets',
    entries: readonly unknown[],
    schema: z.ZodType<Written>,
    placed: (written: Written) => Omit<Placed, 'entry'>,
  ) =>
    entries.flatMap((value, at) => {
      const entry = nameEntry(kind, at, value)
      const parsed = schema.safeParse(value)
      if (!parsed.success) {
        problems.push({ entry, problem: errorText('import-invalid', { problem: sayWhere(parsed.error) }) })
        return []
      }
      const found = { entry, ...placed(parsed.data), written: parsed.data }
      const key = `${found.ruleSet}/${found.place}`
      const other = seen.get(key)
      if (other !== undefined) problems.push({ entry, problem: errorText('import-twice', { other }) })
      seen.set(key, entry)
      return found
    })
  return {
    overrides: read('overrides', overrides, overrideEntry, (written) => ({
      ruleSet: written.ruleSet,
      place: placeText(written),
    })),
    ruleSets: read('ruleSets', ruleSets, ruleSetEntry, ({ name, procedure }) => ({
      ruleSet: name,
      place: addedPlace(procedure),
    })),
    problems,
  }
}

/** Names an entry by its place, counted from 1, and its rule set. */
function nameEntry(kind: 'overrides' | 'ruleSets', at: number, value: unknown): string {
  const place = `${kind} ${at + 1}`
  const name =
    typeof value === 'object' && value !== null && ('ruleSet' in value ? value.ruleSet : 'name' in value && value.name)
  return typeof name === 'string' ? `${place} (${name.slice(0, 64)})` : place
}

/** Returns the first problem with its field, such as 'terms.mode'. */
function sayWhere(error: z.ZodError): string {
  const field = error.issues[0]?.path.join('.')
  return field ? `${field}: ${firstProblem(error)}` : firstProblem(error)
}
