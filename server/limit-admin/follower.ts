import type { Logger } from 'pino'
import type { Fleet } from '#server/limits/fleet/fleet.ts'
import type { Calls } from './calls.ts'

interface FollowerDependencies<State> {
  /** The fleet topic for announcing changes. */
  readonly topic: string
  /** A name for what is followed, for the log. */
  readonly what: string
  /** Reads the stored state and applies it. */
  readonly read: () => Promise<State>
  readonly fleet: Fleet
  /** Reads a version that changes with every change; null if the fleet announces all changes. */
  readonly version: (() => Promise<string>) | null
  readonly calls: Pick<Calls, 'count' | 'nextUntil'>
  readonly log: Pick<Logger, 'warn'>
  readonly pause: (ms: number) => Promise<unknown>
}

/** Milliseconds before a failed read is retried: at first, and at most. */
const FIRST_RETRY_MS = 100
const LAST_RETRY_MS = 10_000

/** Milliseconds between reads of the version, so that a change applies within a second. */
const POLL_MS = 750

/** After this many polls without a request, the version is read only every QUIET_POLL_MS, and on the next request. An
 *  idle process decides nothing. */
const QUIET_POLLS = 80
const QUIET_POLL_MS = 5_000

/** Keeps an in-memory copy in step with the database. This process's changes apply at once; those of others when the
 *  fleet's message arrives, or within a second when only the database reports them. In that case, a process without
 *  requests for a minute polls rarely, and again on its next request, which may still be decided by the state of some
 *  seconds before. */
export class Follower<State> {
  readonly #parts: FollowerDependencies<State>
  #last: Promise<unknown> = Promise.resolve()
  #next: Promise<State> | null = null
  #retrying: Promise<void> | null = null
  #isClosed = false

  constructor(parts: FollowerDependencies<State>) {
    this.#parts = parts
  }

  /** Reads for the first time, then follows other processes. Rejects when the database fails. */
  async open(): Promise<void> {
    const { fleet, topic, version } = this.#parts
    fleet.hear(topic, () => void this.#follow())
    fleet.onGap(() => void this.#follow())
    // The version is read before the rows, so that a change in between is read again.
    const first = await version?.()
    await this.load()
    if (version && first !== undefined) void this.#watch(version, first)
  }

  /** Reads and applies the current state. Rejects when the database fails; the old state then stays in force. */
  load(): Promise<State> {
    // A read that has not started yet will see whatever this one would.
    if (this.#next !== null) return this.#next
    const next = this.#last.then(() => {
      this.#next = null
      return this.#parts.read()
    })
    this.#next = next
    this.#last = next.catch(() => undefined)
    return next
  }

  /** Call after each committed change. Never rejects, because the change has already been made. */
  async announce(): Promise<void> {
    this.#parts.fleet.tell(this.#parts.topic, '')
    await this.#follow()
  }

  close(): void {
    this.#isClosed = true
  }

  /** Polls the version; less often while the database fails. */
  async #watch(version: () => Promise<string>, first: string): Promise<void> {
    const { calls, pause } = this.#parts
    let current = first
    let seen = calls.count
    let quietPolls = 0
    for (let waitMs = POLL_MS; ; ) {
      const isQuiet = quietPolls >= QUIET_POLLS && waitMs === POLL_MS
      await (isQuiet ? calls.nextUntil(pause(QUIET_POLL_MS)) : pause(waitMs))
      if (this.#isClosed) return
      quietPolls = calls.count === seen ? quietPolls + 1 : 0
      seen = calls.count
      try {
        const now = await version()
        if (now !== current) await this.load()
        current = now
        waitMs = POLL_MS
      } catch (error) {
        if (this.#isClosed) return
        waitMs = Math.min(2 * waitMs, LAST_RETRY_MS)
        this.#parts.log.warn({ err: error, retryMs: waitMs }, `${this.#parts.what} could not be read`)
      }
    }
  }

  /** Reads now, retrying until that succeeds. */
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
