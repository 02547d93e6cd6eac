import type { KnownKey } from '../known-keys.ts'
import type { CallEvent, EventsDropped } from './call-event.ts'

/** How many keys are remembered; what comes beyond is not told. */
const ROOM = 10_000

/** A subject that is refused all month is told of each day. */
const LONGEST_WINDOW_MS = 24 * 60 * 60 * 1_000

/** How often room is looked for, and how often what was dropped is told. */
const SWEEP_EVERY_MS = 1_000
const DROPPED_EVERY_MS = 60_000

/** What may be told. */
export interface Happening {
  readonly type: CallEvent['type']
  readonly key: string
  /** Where what was told last is found without a look-up. */
  readonly known?: KnownKey | undefined
  readonly policy: string
  readonly windowMs: number
}

export interface ToldUntil {
  readonly teller: FirstEvents
  readonly type: CallEvent['type']
  readonly policy: string
  until: number
  /** What else was told of the same key. */
  readonly other: ToldUntil | undefined
}

/** Tells of what happens to a subject at its first time in a window of the rule, not at every one. Where there is no more
 *  room to remember who was told of, what is new is dropped and counted: a flood of subjects is none of lines. */
export class FirstEvents {
  readonly #log: (event: EventsDropped) => void
  readonly #toldUntil = new Map<string, ToldUntil>()
  #sweptAt = Number.NEGATIVE_INFINITY
  #dropped = 0
  #droppedToldAt = Number.NEGATIVE_INFINITY

  constructor(log: (event: EventsDropped) => void) {
    this.#log = log
  }

  /** Whether this is to be told; it counts as told then. */
  isFirst({ type, key, known, policy, windowMs }: Happening, now: number): boolean {
    const last = known?.told
    // What still holds is not forgotten.
    if (last?.teller === this && now < last.until && last.policy === policy && last.type === type) return false
    const first = this.#toldUntil.get(key)
    let told = first
    while (told && (told.policy !== policy || told.type !== type)) told = told.other
    if (known && told) known.told = told
    const until = now + Math.min(windowMs, LONGEST_WINDOW_MS)
    if (told) {
      if (now < told.until) return false
      told.until = until
    } else {
      if (!first && !this.#hasRoom(now)) {
        this.#drop(now)
        return false
      }
      this.#toldUntil.set(key, { teller: this, type, policy, until, other: first })
    }
    return true
  }

  #hasRoom(now: number): boolean {
    if (this.#toldUntil.size < ROOM) return true
    if (now < this.#sweptAt + SWEEP_EVERY_MS) return false
    this.#sweptAt = now
    for (const [key, told] of this.#toldUntil) if (isOver(told, now)) this.#toldUntil.delete(key)
    return this.#toldUntil.size < ROOM
  }

  #drop(now: number): void {
    this.#dropped += 1
    if (now < this.#droppedToldAt + DROPPED_EVERY_MS) return
    this.#droppedToldAt = now
    this.#log({ type: 'events-dropped', count: this.#dropped })
    this.#dropped = 0
  }
}

function isOver(told: ToldUntil, now: number): boolean {
  return now >= told.until && (!told.other || isOver(told.other, now))
}
