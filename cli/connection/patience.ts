import { setTimeout as sleep } from 'node:timers/promises'
import { translate } from '#messages/translate.ts'
import { CommandFailed } from '../command.ts'
import { findSetback, type Setback, toFinalFailure } from './server-error.ts'

interface PatienceOptions {
  readonly signal: AbortSignal
  /** A call that would have to wait longer in all fails. */
  readonly waitMs: number
  /** Called at the start of each wait. */
  readonly onWait: (waitMs: number, why: string) => void
  /** Replaced in tests. */
  readonly clock?: RetryClock
}

export interface RetryClock {
  now(): number
  sleep(ms: number, signal: AbortSignal): Promise<void>
  /** 0 to 1. */
  random(): number
}

const systemClock: RetryClock = {
  now: () => performance.now(),
  sleep: (ms, signal) => sleep(ms, undefined, { signal }),
  random: () => Math.random(),
}

/** Attempts without an answer before the server counts as unreachable: waits of 1, 2, 4 … 30 seconds. */
const MOST_LOSSES = 8
const LONGEST_BACKOFF_MS = 30_000
/** The longest timer of Node. */
const LONGEST_WAIT_MS = 2 ** 31 - 1

/** Retries what may succeed later: when the server says so, or with exponential backoff. All calls that share a Patience wait
 *  together: while one waits, none is sent. */
export class Patience {
  readonly #options: PatienceOptions
  readonly #clock: RetryClock
  #until = 0

  constructor(options: PatienceOptions) {
    this.#options = options
    this.#clock = options.clock ?? systemClock
  }

  /** Returns the first answer of `attempt` that is not a setback. Throws CommandFailed or ItemFailed for a final failure, and the
   *  signal's reason when the user interrupts. `losses` is how many attempts may get no answer. */
  async run<T>(attempt: () => Promise<T>, { losses = MOST_LOSSES }: { readonly losses?: number } = {}): Promise<T> {
    const { signal, waitMs: mostMs } = this.#options
    let lost = 0
    for (let waitedMs = 0; ; ) {
      await this.#turn()
      try {
        return await attempt()
      } catch (error) {
        signal.throwIfAborted()
        const setback = findSetback(error)
        if (!setback) throw toFinalFailure(error)
        if (setback.kind !== 'refused') lost += 1
        const waitMs = setback.waitMs ?? Math.min(LONGEST_BACKOFF_MS, 1000 * 2 ** (lost - 1))
        waitedMs += waitMs
        if (lost > losses || waitedMs > mostMs) throw finalFailure(setback, waitMs, error)
        this.#hold(waitMs, setback.why)
      }
    }
  }

  /** Delays every next attempt, with random jitter: other clients wait for the same moment. */
  #hold(ms: number, why: string): void {
    const jitterMs = 50 + this.#clock.random() * Math.min(ms, 1000)
    const until = this.#clock.now() + Math.min(ms + jitterMs, LONGEST_WAIT_MS)
    const more = until - this.#until
    this.#until = Math.max(this.#until, until)
    // Attempts that ran at the same time are refused for the same reason: one report is enough.
    if (more > 1000) this.#options.onWait(this.#until - this.#clock.now(), why)
  }

  async #turn(): Promise<void> {
    const { signal } = this.#options
    signal.throwIfAborted()
    for (let left = this.#left(); left > 0; left = this.#left()) await this.#clock.sleep(left, signal)
  }

  #left(): number {
    return this.#until - this.#clock.now()
  }
}

function finalFailure({ kind, why }: Setback, waitMs: number, cause: unknown): CommandFailed {
  if (kind !== 'refused')
    return new CommandFailed('unreachable', translate('cli.connection.unavailable', { why }), { cause })
  return new CommandFailed('refused', translate('cli.notNow', { why, wait: { waitMs } }), { cause })
}
