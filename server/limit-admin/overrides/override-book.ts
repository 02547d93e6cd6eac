import type { Logger } from 'pino'
import { errorText, toSentence } from '#server/errors/refuse.ts'
import type { ErrorText } from '#server/errors/refused.ts'
import type { Limiter } from '#server/limits/limiter.ts'
import { type Trial, withFacts } from '#server/limits/overrides.ts'
import type { CompiledRuleSet, TrialCounts } from '#server/limits/rules/compiled.ts'
import type { RuleWarning } from '#server/limits/rules/warnings.ts'
import { addSets, type Extended } from '../added/add-sets.ts'
import { addedPlace, type WrittenSet } from '../added/added-set.ts'
import type { Calls } from '../calls.ts'
import type { Catalogue } from '../catalogue.ts'
import { Follower } from '../follower.ts'
import { type ImportPlan, planImport } from '../transfer/plan-import.ts'
import type { StoredOverride, StoredSet } from './override-rows.ts'
import { type CompiledOverride, compileOverride, distinctWarnings, newWarnings } from './override-rules.ts'
import { placeText } from './override-target.ts'
import { withoutEndedBlock } from './override-terms.ts'

/** A stored override and the rule sets it puts in force; none if it has a problem. */
export interface ActiveOverride extends StoredOverride {
  readonly sets: readonly CompiledRuleSet[] | null
  readonly problem: ErrorText | null
}

/** A stored set, and why it is not in force. */
export interface ActiveSet extends StoredSet {
  readonly problem: ErrorText | null
}

interface OverrideBookDependencies {
  /** Reads all stored overrides, by rule set and target, and added sets. */
  readonly read: () => Promise<readonly (StoredOverride | StoredSet)[]>
  /** As in Follower: reads a version that changes with every change; null if the fleet announces changes. */
  readonly version: (() => Promise<string>) | null
  readonly calls: Pick<Calls, 'count' | 'nextUntil'>
  readonly limiter: Limiter
  /** What the code declares. */
  readonly catalogue: Catalogue
  readonly log: Logger
  /** Size in bytes of the largest upload. */
  readonly largestBytes: () => number
  /** False if SLUICE_OVERRIDES turns overrides off, so that only declared limits apply. */
  readonly isOn: boolean
  readonly pause: (ms: number) => Promise<unknown>
}

const TOPIC = 'overrides'

/** Keeps the limiter's overrides and added sets in step with the database. Declared limits are never changed; an override
 *  replaces them from memory, so no call reads the database. Changes by this process apply at once, those of others when the
 *  fleet's message arrives, or within a second without Redis. An override that no longer compiles is skipped and shown,
 *  and never fails a start. */
export class OverrideBook {
  readonly #parts: OverrideBookDependencies
  #extended: Extended
  #sets: readonly ActiveSet[] = []
  /** The added sets as written. */
  #written = ''
  /** Results of earlier compilations, by what was written. */
  #compiled = new Map<string, CompiledOverride>()
  /** What was last passed to the limiter. */
  #applied = ''
  #skipped = new Set<string>()
  /** What the trials have counted, by rule set. */
  readonly #trials = new Map<string, TrialCounts>()
  /** The overrides in force. */
  #active: readonly StoredOverride[] = []
  readonly #follower: Follower<readonly ActiveOverride[]>

  constructor(parts: OverrideBookDependencies) {
    const { limiter, version, calls, log, pause, catalogue } = parts
    this.#parts = parts
    this.#extended = addSets(catalogue, [])
    const what = 'limit overrides'
    const read = () => this.#read()
    this.#follower = new Follower({ topic: TOPIC, what, read, fleet: limiter.fleet, version, calls, log, pause })
  }

  /** Reads for the first time, then follows other processes. Rejects when the database fails. */
  open(): Promise<void> {
    return this.#follower.open()
  }

  /** Reads and applies the current overrides. Rejects when the database fails; the old ones then stay in force. */
  load(): Promise<readonly ActiveOverride[]> {
    return this.#follower.load()
  }

  /** Call after each committed change: applies it here and announces it. Never rejects, because the change has already
   *  been made. */
  announce(): Promise<void> {
    return this.#follower.announce()
  }

  /** What the code declares, with the sets that were added. */
  get catalogue(): Catalogue {
    return this.#extended.catalogue
  }

  /** The stored sets that were added, as they were last read. */
  get sets(): readonly ActiveSet[] {
    return this.#sets
  }

  /** Checks a set as if it were stored, in place of one of the same name. */
  checkSet(written: WrittenSet): { readonly problem: ErrorText | null; readonly warnings: readonly RuleWarning[] } {
    if (!this.#parts.isOn) return { problem: errorText('overrides-off'), warnings: [] }
    const others = this.#sets.filter(({ name }) => name !== written.name).flatMap(asWritten)
    const { catalogue, problems } = addSets(this.#parts.catalogue, [...others, written])
    const [before, after] = [this.#parts.catalogue, catalogue].map(({ byPath }) => byPath.get(written.procedure))
    const warnings = before && after ? distinctWarnings(newWarnings(before, after.compiled)) : []
    return { problem: problems.get(written.name) ?? null, warnings }
  }

  /** Compares a file of limits with what is stored. Returns why it is none; rejects when the database fails. */
  async planImport(file: unknown): Promise<ImportPlan | ErrorText> {
    const { catalogue: declared, isOn, largestBytes } = this.#parts
    if (!isOn) return errorText('overrides-off')
    const overrides = await this.load()
    return planImport(file, { declared, overrides, sets: this.#sets, largestBytes: largestBytes() })
  }

  /** Compiles an override without storing it. */
  compileOverride(written: Parameters<typeof compileOverride>[1]): CompiledOverride {
    if (!this.#parts.isOn) return { problem: errorText('overrides-off') }
    return compileOverride(this.catalogue, written, this.#parts.largestBytes())
  }

  /** Returns why an override in force would be skipped if uploads could have this many bytes; null if none would be. */
  problemWith(largestBytes: number): ErrorText | null {
    for (const { terms, ...written } of this.#active) {
      const compiled = terms && compileOverride(this.catalogue, { ...written, terms }, largestBytes)
      if (compiled && compiled.problem !== null) return compiled.problem
    }
    return null
  }

  /** Returns the procedures and routes that count a rule set by themselves, for some callers at least. */
  procedures(ruleSet: string): ReadonlySet<string> {
    return new Set(this.#active.flatMap((each) => (each.ruleSet === ruleSet ? (each.procedure ?? []) : [])))
  }

  close(): void {
    this.#follower.close()
  }

  async #read(): Promise<readonly ActiveOverride[]> {
    const { read, limiter } = this.#parts
    const entries = await read()
    const hasChanged = this.#addSets(entries.filter(isSet))
    const now = Date.now()
    const stored = entries.flatMap((each) => (isSet(each) ? [] : notEnded(each, now)))
    const earlier = hasChanged ? new Map<string, CompiledOverride>() : this.#compiled
    this.#compiled = new Map()
    const active = stored.map((each) => {
      const { ruleSet, procedure, target, terms, changedAt } = each
      // A trial that was ended and begun again counts from the beginning.
      const key = JSON.stringify([ruleSet, procedure, target, terms, ...(target.kind === 'trial' ? [changedAt] : [])])
      const compiled = earlier.get(key) ?? this.#compileStored(each)
      this.#compiled.set(key, compiled)
      return { stored: each, compiled }
    })
    // The limiter drops its cache of refusals on every update, so it is called only when something has changed.
    const applied = [this.#written, ...this.#compiled.keys()].join()
    if (applied !== this.#applied) {
      const overrides = active.flatMap(({ compiled }) => {
        return compiled.problem === null && !compiled.isTrial ? compiled.override : []
      })
      limiter.override(overrides, this.#extended.added, active.flatMap(this.#trialOf))
      this.#applied = applied
    }
    this.#active = active.flatMap(({ stored: each, compiled }) => (compiled.problem === null ? each : []))
    return active.map(({ stored: each, compiled }) => {
      if (compiled.problem === null) return { ...each, sets: compiled.override.sets, problem: null }
      const { problem } = compiled
      this.#noteSkipped({ ruleSet: each.ruleSet, place: placeText(each) }, toSentence(problem))
      return { ...each, sets: null, problem }
    })
  }

  /** A trial with what it has counted since it was last changed. */
  readonly #trialOf = ({ stored, compiled }: { stored: StoredOverride; compiled: CompiledOverride }): Trial[] => {
    if (compiled.problem !== null || !compiled.isTrial) return []
    const { ruleSet, changedAt } = stored
    const version = changedAt.toISOString()
    const known = this.#trials.get(ruleSet)
    const trial = known?.version === version ? known : { ruleSet, version, ...begun(changedAt) }
    this.#trials.set(ruleSet, trial)
    return [{ ruleSet, sets: compiled.override.sets.map((set) => withFacts(set, { trial })) }]
  }

  /** Returns whether other sets are added than before. */
  #addSets(stored: readonly StoredSet[]): boolean {
    const written = stored.flatMap(asWritten)
    const text = written.length === 0 ? '' : JSON.stringify(written)
    const hasChanged = text !== this.#written
    if (hasChanged) this.#extended = addSets(this.#parts.catalogue, this.#parts.isOn ? written : [])
    this.#written = text
    this.#sets = stored.map((each) => ({ ...each, problem: this.#problemOf(each) }))
    for (const { name, procedure, problem } of this.#sets)
      if (problem) this.#noteSkipped({ ruleSet: name, place: addedPlace(procedure) }, toSentence(problem))
    return hasChanged
  }

  #problemOf({ name, set }: StoredSet): ErrorText | null {
    if (!set) return errorText('unknown-terms')
    return this.#parts.isOn ? (this.#extended.problems.get(name) ?? null) : errorText('overrides-off')
  }

  #compileStored({ terms, ...written }: StoredOverride): CompiledOverride {
    if (terms) return this.compileOverride({ ...written, terms })
    return { problem: errorText('unknown-terms') }
  }

  /** Logs each problem once per process, however often it is read. */
  #noteSkipped({ ruleSet, place }: { ruleSet: string; place: string }, problem: string): void {
    const text = `${ruleSet}/${place}: ${problem}`
    if (this.#skipped.has(text)) return
    this.#skipped.add(text)
    this.#parts.log.warn({ ruleSet, place, problem }, 'limit override skipped')
  }
}

/** Another process may have stored it, by a clock that is ahead. */
const begun = (changedAt: Date) => ({ since: Math.max(changedAt.getTime(), Date.now()), asked: 0, refused: 0 })

/** What is left of an override whose block has ended: nothing, or its other terms. */
function notEnded(each: StoredOverride, now: number): StoredOverride[] {
  const terms = each.terms && withoutEndedBlock(each.terms, now)
  return each.terms && !terms ? [] : [{ ...each, terms }]
}

const isSet = (entry: StoredOverride | StoredSet): entry is StoredSet => 'set' in entry

const asWritten = ({ name, procedure, set }: StoredSet): WrittenSet[] => (set ? [{ name, procedure, set }] : [])
