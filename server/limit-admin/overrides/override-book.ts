import type { Logger } from 'pino'
import { errorText, toSentence } from '#server/errors/refuse.ts'
import type { ErrorText } from '#server/errors/refused.ts'
import type { Limiter } from '#server/limits/limiter.ts'
import type { CompiledRuleSet } from '#server/limits/rules/compiled.ts'
import type { Calls } from '../calls.ts'
import type { Catalogue } from '../catalogue.ts'
import { Follower } from '../follower.ts'
import type { StoredOverride } from './override-rows.ts'
import { type CompiledOverride, compileOverride } from './override-rules.ts'
import { placeText } from './override-target.ts'

/** A stored override and the rule sets it puts in force; none if it has a problem. */
export interface ActiveOverride extends StoredOverride {
  readonly sets: readonly CompiledRuleSet[] | null
  readonly problem: ErrorText | null
}

interface OverrideBookDependencies {
  /** Reads all stored overrides, by rule set and target. */
  readonly read: () => Promise<readonly StoredOverride[]>
  /** As in Follower: reads a version that changes with every change; null if the fleet announces changes. */
  readonly version: (() => Promise<string>) | null
  readonly calls: Pick<Calls, 'count' | 'nextUntil'>
  readonly limiter: Limiter
  readonly catalogue: Catalogue
  readonly log: Logger
  /** Size in bytes of the largest upload. */
  readonly largestBytes: () => number
  /** False if SLUICE_OVERRIDES turns overrides off, so that only declared limits apply. */
  readonly isOn: boolean
  readonly pause: (ms: number) => Promise<unknown>
}

const TOPIC = 'overrides'

/** Keeps the limiter's overrides in step with the database. Declared limits are never changed; an override replaces
 *  them from memory, so no call reads the database. Changes by this process apply at once, those of others when the
 *  fleet's message arrives, or within a second without Redis. An override that no longer compiles is skipped and shown,
 *  and never fails a start. */
export class OverrideBook {
  readonly #parts: OverrideBookDependencies
  /** Results of earlier compilations, by what was written. */
  #compiled = new Map<string, CompiledOverride>()
  /** What was last passed to the limiter. */
  #applied = ''
  #skipped = new Set<string>()
  /** The overrides in force. */
  #active: readonly StoredOverride[] = []
  readonly #follower: Follower<readonly ActiveOverride[]>

  constructor(parts: OverrideBookDependencies) {
    const { limiter, version, calls, log, pause } = parts
    this.#parts = parts
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

  /** Compiles an override without storing it. */
  compileOverride(written: Parameters<typeof compileOverride>[1]): CompiledOverride {
    if (!this.#parts.isOn) return { problem: errorText('overrides-off') }
    return compileOverride(this.#parts.catalogue, written, this.#parts.largestBytes())
  }

  /** Returns why an override in force would be skipped if uploads could have this many bytes; null if none would be. */
  problemWith(largestBytes: number): ErrorText | null {
    for (const { terms, ...written } of this.#active) {
      const compiled = terms && compileOverride(this.#parts.catalogue, { ...written, terms }, largestBytes)
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
    const stored = await read()
    const earlier = this.#compiled
    this.#compiled = new Map()
    const active = stored.map((each) => {
      const key = JSON.stringify([each.ruleSet, each.procedure, each.target, each.terms])
      const compiled = earlier.get(key) ?? this.#compileStored(each)
      this.#compiled.set(key, compiled)
      return { stored: each, compiled }
    })
    // The limiter drops its cache of refusals on every update, so it is called only when something has changed.
    const applied = [...this.#compiled.keys()].join()
    if (applied !== this.#applied) {
      limiter.override(active.flatMap(({ compiled }) => (compiled.problem === null ? compiled.override : [])))
      this.#applied = applied
    }
    this.#active = active.flatMap(({ stored: each, compiled }) => (compiled.problem === null ? each : []))
    return active.map(({ stored: each, compiled }) => {
      if (compiled.problem === null) return { ...each, sets: compiled.override.sets, problem: null }
      const { problem } = compiled
      this.#noteSkipped(each, toSentence(problem))
      return { ...each, sets: null, problem }
    })
  }

  #compileStored({ terms, ...written }: StoredOverride): CompiledOverride {
    if (terms) return this.compileOverride({ ...written, terms })
    return { problem: errorText('unknown-terms') }
  }

  /** Logs each problem once per process, however often it is read. */
  #noteSkipped({ ruleSet, procedure, target }: StoredOverride, problem: string): void {
    const text = `${ruleSet}/${placeText({ procedure, target })}: ${problem}`
    if (this.#skipped.has(text)) return
    this.#skipped.add(text)
    this.#parts.log.warn({ ruleSet, procedure, target, problem }, 'limit override skipped')
  }
}
