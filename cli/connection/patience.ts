import { setTimeout as sleep } from 'node:timers/promises'
import { translate } from '#messages/translate.ts'
import { CommandFailed } from '../command.ts'
import { finalOf, type Setback, setbackOf } from './server-error.ts'

interface PatienceOptions {
  readonly signal: AbortSignal
  /** False: a call that would have to wait for more than a moment fails. */
  readonly waits: boolean
  /** Told of each wait that begins. */
  readonly onWait: (waitMs: number, why: string) => void
  /** Those of the machine, unless a test brings its own. */
  readonly clock?: RetryClock
}

export interface RetryClock {
  now(): number
  sleep(ms: number, signal: AbortSignal): Promise<void>
  /** 0 to 1. */
  random(): number
}

const machine: RetryClock = {
  now: () => performance.now(),
  sleep: (ms, signal) => sleep(ms, undefined, { signal }),
  random: () => Math.random(),
}

/** Attempts in a row that nobody answers before the server counts as gone: waits of 1, 2, 4 … 30 seconds. */
const MOST_LOSSES = 8
const LONGEST_BACKOFF_MS = 30_000
/** What one call waits in all where nothing is to be waited for: so long does a rule of a few calls a second refuse. */
const MOMENT_MS = 2_000
/** The longest that a timer measures. */
const LONGEST_WAIT_MS = 2 ** 31 - 1

/** Sends again what may pass later: when the server says so, or after longer and longer waits. What one attempt learns holds
 *  for all that share the patience: while one waits, none is sent. */
export class Patience {
  readonly #options: PatienceOptions
  readonly #clock: RetryClock
  #until = 0

  constructor(options: PatienceOptions) {
    this.#options = options
    this.#clock = options.clock ?? machine
  }

  /** The first answer of `attempt` that is no setback. Throws CommandFailed or ItemFailed for what is final, and the signal's
   *  reason when the user breaks off. `losses` is how often nobody may answer. */
  async run<T>(attempt: () => Promise<T>, { losses = MOST_LOSSES }: { readonly losses?: number } = {}): Promise<T> {
    const { signal, waits } = this.#options
    let lost = 0
    for (let waitedMs = 0; ; ) {
      await this.#turn()
      try {
        return await attempt()
      } catch (error) {
        signal.throwIfAborted()
        const setback = setbackOf(error)
        if (!setback) throw finalOf(error)
        if (setback.kind !== 'refused') lost += 1
        const waitMs = setback.waitMs ?? Math.min(LONGEST_BACKOFF_MS, 1000 * 2 ** (lost - 1))
        waitedMs += waitMs
        if (lost > losses || (!waits && waitedMs > MOMENT_MS)) throw gaveUp(setback, waitMs, error)
        this.#hold(waitMs, setback.why)
      }
    }
  }

  /** Everybody's next attempt waits so long, and a little by chance: others wait for the same moment. */
  #hold(ms: number, why: string): void {
    const jitterMs = 50 + this.#clock.random() * Math.min(ms, 1000)
    const until = this.#clock.now() + Math.min(ms + jitterMs, LONGEST_WAIT_MS)
    const more = until - this.#until
    this.#until = Math.max(this.#until, until)
    // Several attempts that were under way together come back with the same news.
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

function gaveUp({ kind, why }: Setback, waitMs: number, cause: unknown): CommandFailed {
  if (kind === 'lost') return new CommandFailed('unreachable', `The server is not there: ${why}.`, { cause })
  if (kind === 'away') return new CommandFailed('unreachable', `Not now: ${why}.`, { cause })
  return new CommandFailed('refused', translate('cli.notNow', { why, wait: { waitMs } }), { cause })
}
