import type { Logger } from 'pino'
import type { Fleet } from '#server/limits/fleet/fleet.ts'
import type { Calls } from './calls.ts'

interface Parts<Held> {
  /** The fleet topic under which processes announce a change. */
  readonly topic: string
  /** What is followed, in words, for the log. */
  readonly what: string
  /** Reads what is stored and puts it in force. */
  readonly read: () => Promise<Held>
  readonly fleet: Fleet
  /** Reads a version that differs after each change; null where the fleet announces all changes. */
  readonly version: (() => Promise<string>) | null
  readonly calls: Pick<Calls, 'count' | 'nextUntil'>
  readonly log: Pick<Logger, 'warn'>
  readonly pause: (ms: number) => Promise<unknown>
}

/** Milliseconds until a failed reading is tried again: at first, and at most. */
const FIRST_RETRY_MS = 100
const LAST_RETRY_MS = 10_000

/** Milliseconds between two reads of the version, so that a change is in force within a second. */
const LOOK_MS = 750

/** After so many looks without a call there is one in so many milliseconds, and with the next call: what nobody calls decides nothing. */
const QUIET_LOOKS = 80
const QUIET_LOOK_MS = 5_000

/** Keeps a copy in memory in step with the database. Changes of this process apply at once; those of others when the
 *  fleet's message arrives, or within a second where only the database announces them. In that case a process without
 *  calls for a minute reads the version rarely, and again with its next call, which it may decide by what was in force
 *  seconds before. */
export class Follower<Held> {
  readonly #parts: Parts<Held>
  #last: Promise<unknown> = Promise.resolve()
  #next: Promise<Held> | null = null
  #retrying: Promise<void> | null = null
  #isClosed = false

  constructor(parts: Parts<Held>) {
    this.#parts = parts
  }

  /** Reads for the first time, and then follows the other processes. Rejects when the database fails. */
  async open(): Promise<void> {
    const { fleet, topic, version } = this.#parts
    fleet.hear(topic, () => void this.#follow())
    fleet.onGap(() => void this.#follow())
    // Before the rows: what changes between the two is read again.
    const first = await version?.()
    await this.load()
    if (version && first !== undefined) void this.#watch(version, first)
  }

  /** Reads and applies the current state. When the database fails it rejects, and the old state stays in force. */
  load(): Promise<Held> {
    // A reading that has not begun sees whatever this one would.
    if (this.#next !== null) return this.#next
    const next = this.#last.then(() => {
      this.#next = null
      return this.#parts.read()
    })
    this.#next = next
    this.#last = next.catch(() => undefined)
    return next
  }

  /** To be called after each committed change; never fails, because the change has already been made. */
  async announce(): Promise<void> {
    this.#parts.fleet.tell(this.#parts.topic, '')
    await this.#follow()
  }

  close(): void {
    this.#isClosed = true
  }

  /** Looks again and again whether something has changed; less often while the database fails. */
  async #watch(version: () => Promise<string>, first: string): Promise<void> {
    const { calls, pause } = this.#parts
    let held = first
    let seen = calls.count
    let quietLooks = 0
    for (let waitMs = LOOK_MS; ; ) {
      const isQuiet = quietLooks >= QUIET_LOOKS && waitMs === LOOK_MS
      await (isQuiet ? calls.nextUntil(pause(QUIET_LOOK_MS)) : pause(waitMs))
      if (this.#isClosed) return
      quietLooks = calls.count === seen ? quietLooks + 1 : 0
      seen = calls.count
      try {
        const now = await version()
        if (now !== held) await this.load()
        held = now
        waitMs = LOOK_MS
      } catch (error) {
        if (this.#isClosed) return
        waitMs = Math.min(2 * waitMs, LAST_RETRY_MS)
        this.#parts.log.warn({ err: error, retryMs: waitMs }, `${this.#parts.what} could not be read`)
      }
    }
  }

  /** Reads now, and where that fails again and again until it does not. */
  async #follow(): Promise<void> {
    try {
      await this.load()
    } catch (error) {
      this.#retrying ??= this.#retry(error).finally(() => {
        this.#retrying = null
      })
    }
  }

  async #retry(first: unknown): Promise<void> {
    let error = first
    for (let waitMs = FIRST_RETRY_MS; !this.#isClosed; waitMs = Math.min(2 * waitMs, LAST_RETRY_MS)) {
      this.#parts.log.warn({ err: error, retryMs: waitMs }, `${this.#parts.what} could not be read`)
      await this.#parts.pause(waitMs)
      if (this.#isClosed) return
      try {
        await this.load()
        return
      } catch (again) {
        error = again
      }
    }
  }
}
