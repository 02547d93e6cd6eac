import type { CallEvent, EventsDropped } from './call-event.ts'

/** How many are remembered; what comes beyond is not told. */
const ROOM = 10_000

/** A subject that is refused all month is told of each day. */
const LONGEST_WINDOW_MS = 24 * 60 * 60 * 1_000

/** How often room is looked for, and how often what was dropped is told. */
const SWEEP_EVERY_MS = 1_000
const DROPPED_EVERY_MS = 60_000

/** Tells of what happens to a subject at its first time in a window, not at every one: what is told twice as often when
 *  there is no more room would end in a flood of lines, so it is dropped then, and counted. */
export class FirstEvents {
  readonly #log: (event: CallEvent | EventsDropped) => void
  readonly #toldUntil = new Map<string, number>()
  #sweptAt = Number.NEGATIVE_INFINITY
  #dropped = 0
  #droppedToldAt = Number.NEGATIVE_INFINITY

  constructor(log: (event: CallEvent | EventsDropped) => void) {
    this.#log = log
  }

  /** `name` is the event's type, subject and rule; `windowMs` the rule's. */
  tell(name: string, windowMs: number, now: number, event: () => CallEvent): void {
    const until = this.#toldUntil.get(name)
    if (until !== undefined && now < until) return
    if (until === undefined && !this.#hasRoom(now)) {
      this.#drop(now)
      return
    }
    this.#toldUntil.set(name, now + Math.min(windowMs, LONGEST_WINDOW_MS))
    this.#log(event())
  }

  #hasRoom(now: number): boolean {
    if (this.#toldUntil.size < ROOM) return true
    if (now < this.#sweptAt + SWEEP_EVERY_MS) return false
    this.#sweptAt = now
    for (const [name, until] of this.#toldUntil) if (now >= until) this.#toldUntil.delete(name)
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
