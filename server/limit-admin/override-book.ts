import type { Logger } from 'pino'
import type { Limiter } from '#server/limits/limiter.ts'
import type { CompiledRuleSet } from '#server/limits/rules/compiled.ts'
import type { Calls } from './calls.ts'
import type { Catalogue } from './catalogue.ts'
import { Follower } from './follower.ts'
import type { StoredOverride } from './override-rows.ts'
import { type WorkedOut, workOut } from './override-rules.ts'
import { targetText } from './override-target.ts'

/** A stored override with what holds of it: nothing where there is a problem. */
export interface HeldOverride extends StoredOverride {
  readonly sets: readonly CompiledRuleSet[] | null
  readonly problem: string | null
}

interface Parts {
  /** All that are stored, by rule set and target. */
  readonly read: () => Promise<readonly StoredOverride[]>
  /** As of a Follower: what differs after each change, where the fleet does not tell of it. */
  readonly version: (() => Promise<string>) | null
  readonly calls: Pick<Calls, 'count' | 'nextUntil'>
  readonly limiter: Limiter
  readonly catalogue: Catalogue
  readonly log: Logger
  /** Bytes of the largest upload. */
  readonly largestBytes: number
  /** False where the operator has said that what code declares holds alone. */
  readonly isOn: boolean
  readonly pause: (ms: number) => Promise<unknown>
}

const TOPIC = 'overrides'

const OFF = 'Overrides are off here: SLUICE_OVERRIDES.'

/** Keeps the limiter's overrides in step with the database: changes of this process apply at once, those of others when
 *  the fleet's message arrives, or within a second without Redis. No call reads the database for them. */
export class OverrideBook {
  readonly #parts: Parts
  /** What was worked out before, by what was written. */
  #known = new Map<string, WorkedOut>()
  /** What the limiter was told last. */
  #applied = ''
  #skipped = new Set<string>()
  readonly #follower: Follower<readonly HeldOverride[]>

  constructor(parts: Parts) {
    const { limiter, version, calls, log, pause } = parts
    this.#parts = parts
    const what = 'the overrides of limits'
    const read = () => this.#read()
    this.#follower = new Follower({ topic: TOPIC, what, read, fleet: limiter.fleet, version, calls, log, pause })
  }

  /** Reads for the first time, and then follows the other processes. Rejects when the database fails. */
  open(): Promise<void> {
    return this.#follower.open()
  }

  /** Reads and applies the current overrides. When the database fails it rejects, and the old ones stay in force. */
  load(): Promise<readonly HeldOverride[]> {
    return this.#follower.load()
  }

  /** To be called after each committed change: applies it here and announces it; never fails, because the change has
   *  already been made. */
  announce(): Promise<void> {
    return this.#follower.announce()
  }

  /** Compiles an override without storing it. */
  workOut(written: Parameters<typeof workOut>[1]): WorkedOut {
    if (!this.#parts.isOn) return { problem: OFF }
    return workOut(this.#parts.catalogue, written, this.#parts.largestBytes)
  }

  close(): void {
    this.#follower.close()
  }

  async #read(): Promise<readonly HeldOverride[]> {
    const { read, limiter } = this.#parts
    const stored = await read()
    const known = this.#known
    this.#known = new Map()
    const held = stored.map((each) => {
      const key = JSON.stringify([each.ruleSet, each.target, each.terms])
      const worked = known.get(key) ?? this.#workOutStored(each)
      this.#known.set(key, worked)
      return { stored: each, worked }
    })
    // The limiter forgets what it remembers of refusals whenever it is told: not for whoever only looks.
    const applied = [...this.#known.keys()].join()
    if (applied !== this.#applied) {
      limiter.override(held.flatMap(({ worked }) => (worked.problem === null ? worked.override : [])))
      this.#applied = applied
    }
    return held.map(({ stored: each, worked }) => {
      if (worked.problem === null) return { ...each, sets: worked.override.sets, problem: null }
      this.#noteSkipped(each, worked.problem)
      return { ...each, sets: null, problem: worked.problem }
    })
  }

  #workOutStored({ terms, ...written }: StoredOverride): WorkedOut {
    if (terms) return this.workOut({ ...written, terms })
    return { problem: 'Its terms are none that this version of Sluice knows.' }
  }

  /** Once in the life of a process, however often it is read. */
  #noteSkipped({ ruleSet, target }: StoredOverride, problem: string): void {
    const text = `${ruleSet}/${targetText(target)}: ${problem}`
    if (this.#skipped.has(text)) return
    this.#skipped.add(text)
    this.#parts.log.warn({ ruleSet, target, problem }, 'an override of a limit does not hold')
  }
}
