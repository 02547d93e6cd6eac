import { type EventsDropped, type Happening, reportWindow } from './call-event.ts'

/** How many keys are remembered. Events of further keys are dropped, and counted. */
const ROOM = 10_000

/** An event is reported again after a day at the latest, however long the rule's window is. */
const LONGEST_WINDOW_MS = 24 * 60 * 60 * 1_000

/** How often expired entries are swept when there is no room, and how often the number of dropped events is logged. */
const SWEEP_EVERY_MS = 1_000
const DROPPED_EVERY_MS = 60_000

/** An event that was reported, of one type and policy of a key. */
class ReportedEvent {
  readonly reporter: FirstEvents
  readonly type: Happening['type']
  readonly policy: string
  /** The next in the linked list of what was reported for the key. */
  readonly other: ReportedEvent | undefined
  /** The clock's instant, in milliseconds, from which it is reported again. */
  until: number

  constructor(reporter: FirstEvents, { type, policy }: Happening, other: ReportedEvent | undefined, until: number) {
    this.reporter = reporter
    this.type = type
    this.policy = policy
    this.other = other
    this.until = until
  }
}

/** Deduplicates events for the log: each type and policy of a key is reported once in a window of its rule. When the
 *  table is full, events of new keys are dropped and only counted, so that a flood of subjects does not flood the
 *  log. */
export class FirstEvents {
  readonly #log: (event: EventsDropped) => void
  readonly #reported = new Map<string, ReportedEvent>()
  #sweptAt = Number.NEGATIVE_INFINITY
  #dropped = 0
  #droppedReportedAt = Number.NEGATIVE_INFINITY

  constructor(log: (event: EventsDropped) => void) {
    this.#log = log
  }

  /** Returns whether to report the event at the instant `now`, in milliseconds, and records it as reported if so. */
  isFirst(happening: Happening, now: number): boolean {
    const { type, policy, charge } = happening
    const { key, known } = charge
    const last = known?.reported
    // The sweep never removes an entry that has not expired, so the table need not be asked.
    const isKnown =
      last instanceof ReportedEvent && last.reporter === this && last.policy === policy && last.type === type
    if (isKnown && now < last.until) return false
    const first = this.#reported.get(key)
    let reported = first
    while (reported && (reported.policy !== policy || reported.type !== type)) reported = reported.other
    if (known && reported) known.reported = reported
    const until = now + Math.min(reportWindow(happening), LONGEST_WINDOW_MS)
    if (reported) {
      if (now < reported.until) return false
      reported.until = until
    } else {
      if (!first && !this.#hasRoom(now)) {
        this.#drop(now)
        return false
      }
      this.#reported.set(key, new ReportedEvent(this, happening, first, until))
    }
    return true
  }

  #hasRoom(now: number): boolean {
    if (this.#reported.size < ROOM) return true
    if (now < this.#sweptAt + SWEEP_EVERY_MS) return false
    this.#sweptAt = now
    for (const [key, reported] of this.#reported) if (isOver(reported, now)) this.#reported.delete(key)
    return this.#reported.size < ROOM
  }

  #drop(now: number): void {
    this.#dropped += 1
    if (now < this.#droppedReportedAt + DROPPED_EVERY_MS) return
    this.#droppedReportedAt = now
    this.#log({ type: 'events-dropped', count: this.#dropped })
    this.#dropped = 0
  }
}

function isOver(reported: ReportedEvent, now: number): boolean {
  return now >= reported.until && (!reported.other || isOver(reported.other, now))
}
