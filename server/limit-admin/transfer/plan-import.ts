import { toSentence } from '#server/errors/refuse.ts'
import type { ErrorText } from '#server/errors/refused.ts'
import { addSets } from '../added/add-sets.ts'
import { type AddedSet, addedPlace, inShadow } from '../added/added-set.ts'
import type { Catalogue } from '../catalogue.ts'
import type { Change, StoredOverride, StoredSet } from '../overrides/override-rows.ts'
import { compileOverride } from '../overrides/override-rules.ts'
import { type OverridePlace, placeText } from '../overrides/override-target.ts'
import type { OverrideTerms } from '../overrides/override-terms.ts'
import { type EntryProblem, type RuleSetEntry, readFile } from './read-file.ts'

/** What an import does to one override or added rule set. */
export interface ImportChange {
  readonly change: 'add' | 'change' | 'keep' | 'remove'
  readonly ruleSet: string
  /** The procedure of an added set, or that an override is for alone; null for an override of all. */
  readonly procedure: string | null
  /** Null for an added rule set. */
  readonly target: OverridePlace['target'] | null
  readonly before: OverrideTerms | AddedSet | null
  readonly after: OverrideTerms | AddedSet | null
  /** The file enforces a set that is new here, and begins in shadow mode. */
  readonly isShadowed: boolean
}

export interface ImportPlan {
  readonly changes: readonly ImportChange[]
  readonly writes: readonly Change[]
  /** Why the file is refused; empty if it can be imported. */
  readonly problems: readonly EntryProblem[]
}

/** What is stored now, and what the code declares. */
export interface ImportScene {
  readonly declared: Catalogue
  readonly overrides: readonly StoredOverride[]
  readonly sets: readonly StoredSet[]
  readonly largestBytes: number
}

/** An entry as it is stored, or will be. */
interface Entry {
  readonly shown: Omit<ImportChange, 'change' | 'before' | 'after'>
  readonly ruleSet: string
  readonly place: string
  readonly terms: OverrideTerms | AddedSet
  readonly note: string | null
}

/** Compares a file with what is stored: after its import, nothing else is. Returns a problem of the whole file if it has one. */
export function planImport(file: unknown, scene: ImportScene): ImportPlan | ErrorText {
  const read = readFile(file)
  if ('code' in read) return read
  const stored = storedEntries(scene)
  const ruleSets = read.ruleSets.map((entry) => newInShadow(entry, stored))
  const sets = ruleSets.map(({ written: { name, procedure, set } }) => ({ name, procedure, set }))
  const { catalogue, problems: ofSets } = addSets(scene.declared, sets)
  const problems = [
    ...read.problems,
    ...ruleSets.flatMap(({ entry, ruleSet }) => problemOf(entry, ofSets.get(ruleSet))),
    ...read.overrides.flatMap(({ entry, written }) => {
      return problemOf(entry, compileOverride(catalogue, written, scene.largestBytes).problem)
    }),
  ]
  const wanted = new Map<string, Entry>(
    [...read.overrides.map(overrideEntryOf), ...ruleSets.map(setEntryOf)].map(byKey),
  )
  const changes = [...wanted].map(([key, entry]) => compare(stored.get(key), entry))
  const removed = [...stored].filter(([key]) => !wanted.has(key)).map(([, entry]) => removal(entry))
  const all = [...changes, ...removed]
  return { changes: all.map(({ shown }) => shown), writes: all.flatMap(({ write }) => write ?? []), problems }
}

/** Returns the first problem of a plan in English, with its entry. */
export const firstOf = ([problem]: readonly EntryProblem[]) =>
  problem && { entry: problem.entry, problem: toSentence(problem.problem) }

const problemOf = (entry: string, problem: ErrorText | null | undefined): EntryProblem[] =>
  problem ? [{ entry, problem }] : []

const keyOf = ({ ruleSet, place }: { readonly ruleSet: string; readonly place: string }): string =>
  `${ruleSet}/${place}`
const byKey = (entry: Entry): [string, Entry] => [keyOf(entry), entry]

function storedEntries({ overrides, sets }: ImportScene): ReadonlyMap<string, Entry> {
  const ofOverrides = overrides.flatMap(({ terms, ...each }) => {
    return terms ? overrideEntryOf({ ruleSet: each.ruleSet, place: placeText(each), written: { ...each, terms } }) : []
  })
  const ofSets = sets.flatMap(({ set, note, name, procedure }) => {
    const placed = { ruleSet: name, place: addedPlace(procedure), isShadowed: false }
    return set ? setEntryOf({ ...placed, written: { procedure, set, note } }) : []
  })
  return new Map([...ofOverrides, ...ofSets].map(byKey))
}

interface Written {
  readonly ruleSet: string
  readonly place: string
}

function overrideEntryOf({
  ruleSet,
  place,
  written: { procedure = null, target, terms, note = null },
}: Written & {
  readonly written: Omit<OverridePlace, 'procedure'> & {
    readonly procedure?: string | null | undefined
    readonly terms: OverrideTerms
    readonly note?: string | null | undefined
  }
}): Entry {
  return { shown: { ruleSet, procedure, target, isShadowed: false }, ruleSet, place, terms, note }
}

function setEntryOf({
  ruleSet,
  place,
  isShadowed,
  written: { procedure, set, note = null },
}: Written & {
  readonly isShadowed: boolean
  readonly written: { readonly procedure: string; readonly set: AddedSet; readonly note?: string | null | undefined }
}): Entry {
  return { shown: { ruleSet, procedure, target: null, isShadowed }, ruleSet, place, terms: set, note }
}

function newInShadow(entry: RuleSetEntry, stored: ReadonlyMap<string, Entry>) {
  const { set } = entry.written
  if (stored.has(keyOf(entry)) || set.mode === 'shadow') return { ...entry, isShadowed: false }
  return { ...entry, written: { ...entry.written, set: inShadow(set) }, isShadowed: true }
}

interface Compared {
  readonly shown: ImportChange
  readonly write: Change | null
}

function compare(before: Entry | undefined, after: Entry): Compared {
  const isSame = before && canonical([before.terms, before.note]) === canonical([after.terms, after.note])
  const change = isSame ? 'keep' : before ? 'change' : 'add'
  const { ruleSet, place, terms, note } = after
  return {
    shown: { ...after.shown, change, before: before?.terms ?? null, after: terms },
    write: isSame ? null : { ruleSet, place, to: { terms, note } },
  }
}

const removal = ({ shown, ruleSet, place, terms }: Entry): Compared => ({
  shown: { ...shown, change: 'remove', before: terms, after: null },
  write: { ruleSet, place, to: null },
})

/** The same text for equal values: the database keeps the fields of JSON in an order of its own. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  )
