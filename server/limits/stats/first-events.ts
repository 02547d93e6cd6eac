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

/** One event that was told of a key. */
class Told {
  readonly teller: FirstEvents
  readonly type: CallEvent['type']
  readonly policy: string
  /** What else was told of the key: they are a list. */
  readonly other: Told | undefined
  /** The instant of the clock from which on it is told again. */
  until: number

  constructor(teller: FirstEvents, { type, policy }: Happening, other: Told | undefined, until: number) {
    this.teller = teller
    this.type = type
    this.policy = policy
    this.other = other
    this.until = until
  }
}

/** Tells of what happens to a subject at its first time in a window of the rule, not at every one. Where there is no more
 *  room to remember who was told of, what is new is dropped and counted: a flood of subjects is none of lines. */
export class FirstEvents {
  readonly #log: (event: EventsDropped) => void
  readonly #told = new Map<string, Told>()
  #sweptAt = Number.NEGATIVE_INFINITY
  #dropped = 0
  #droppedToldAt = Number.NEGATIVE_INFINITY

  constructor(log: (event: EventsDropped) => void) {
    this.#log = log
  }

  /** Whether this is to be told at the instant `now`, in milliseconds; it counts as told then. */
  isFirst(happening: Happening, now: number): boolean {
    const { type, key, known, policy, windowMs } = happening
    const last = known?.told
    // What still holds is not forgotten.
    const isKnown = last instanceof Told && last.teller === this && last.policy === policy && last.type === type
    if (isKnown && now < last.until) return false
    const first = this.#told.get(key)
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
      this.#told.set(key, new Told(this, happening, first, until))
    }
    return true
  }

  #hasRoom(now: number): boolean {
    if (this.#told.size < ROOM) return true
    if (now < this.#sweptAt + SWEEP_EVERY_MS) return false
    this.#sweptAt = now
    for (const [key, told] of this.#told) if (isOver(told, now)) this.#told.delete(key)
    return this.#told.size < ROOM
  }

  #drop(now: number): void {
    this.#dropped += 1
    if (now < this.#droppedToldAt + DROPPED_EVERY_MS) return
    this.#droppedToldAt = now
    this.#log({ type: 'events-dropped', count: this.#dropped })
    this.#dropped = 0
  }
}

function isOver(told: Told, now: number): boolean {
  return now >= told.until && (!told.other || isOver(told.other, now))
}
