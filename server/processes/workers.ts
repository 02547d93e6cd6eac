import type { Metric } from '#server/metrics/exposition.ts'
import { GatheredMetrics } from './gathered-metrics.ts'
import type { FromPrimary, FromWorker } from './messages.ts'

/** A worker's process, as node:cluster gives it. */
export interface WorkerProcess {
  readonly id: number
  readonly pid: number | undefined
  send(message: FromPrimary): void
  kill(signal: NodeJS.Signals): void
  onMessage(receive: (message: FromWorker) => void): void
  onExit(ended: (code: number | null, signal: string | null) => void): void
}

export interface WorkersOptions {
  readonly count: number
  readonly fork: () => WorkerProcess
  readonly log: Record<'info' | 'error', (details: object, message: string) => void>
  /** Returns the metrics of this process. */
  readonly readOwn: () => Promise<readonly Metric[]>
  /** Called once, when all have ended and none is to follow. */
  readonly onEnd: (exitCode: number) => void
}

interface Worker {
  readonly process: WorkerProcess
  /** When it began to accept connections; null before. */
  readyAt: number | null
  /** Pings that it has not answered. */
  unanswered: number
}

/** How often workers are asked whether they live, and how many questions in a row one may leave unanswered: a minute, for an event
 *  loop that is blocked on a busy machine. Counted by questions, because this process may have been suspended itself. */
const PING_MS = 10_000
const MAX_UNANSWERED = 6

/** A worker that served for so long did not end because of its start. */
const PROVEN_MS = 60_000
const MAX_DELAY_MS = 60_000

/** Returns how many milliseconds to wait before a worker is replaced, when so many in a row have ended early. */
export const replacementDelay = (early: number): number =>
  early <= 1 ? 0 : Math.min(MAX_DELAY_MS, 1_000 * 2 ** (early - 2))

/** Starts the workers of a site, replaces those that end, kills those that hang, and stops them all. The first starts alone: it
 *  migrates the database, and what keeps it from starting is said once. A start that fails while no other worker serves is the
 *  end, as it is for a single process. */
export class Workers {
  readonly #options: WorkersOptions
  readonly #workers = new Set<Worker>()
  readonly #metrics: GatheredMetrics
  readonly #pings: NodeJS.Timeout
  readonly #delays = new Set<NodeJS.Timeout>()
  /** The one that serves the owner's commands. */
  #holder: Worker | null = null
  /** Workers that ended early, in a row. */
  #early = 0
  /** Workers that ended by themselves. */
  failures = 0
  #exitCode: number | null = null

  constructor(options: WorkersOptions) {
    this.#options = options
    this.#metrics = new GatheredMetrics(options.readOwn)
    this.#pings = setInterval(() => this.#ping(), PING_MS)
    this.#start()
  }

  /** Passes a signal to stop on to every worker; none is replaced from now on. */
  stop(exitCode = 0): void {
    this.#exitCode ??= exitCode
    for (const delay of this.#delays) clearTimeout(delay)
    clearInterval(this.#pings)
    for (const { process } of this.#workers) process.kill('SIGTERM')
  }

  #start(): void {
    const worker: Worker = { process: this.#options.fork(), readyAt: null, unanswered: 0 }
    this.#workers.add(worker)
    worker.process.onMessage((message) => this.#receive(worker, message))
    worker.process.onExit((code, signal) => this.#exited(worker, code, signal))
  }

  #receive(worker: Worker, message: FromWorker): void {
    if (message.kind === 'ready') this.#begins(worker)
    else if (message.kind === 'pong') worker.unanswered = 0
    else if (message.kind === 'metrics') this.#metrics.receive(message)
    else {
      const others = this.#ready().filter((other) => other !== worker)
      void this.#metrics.answer(
        worker.process,
        message,
        others.map(({ process }) => process),
      )
    }
  }

  #begins(worker: Worker): void {
    worker.readyAt = performance.now()
    const { id, pid } = worker.process
    this.#options.log.info({ worker: id, pid }, 'a worker serves')
    this.#chooseHolder()
    if (this.#exitCode !== null) return
    while (this.#workers.size + this.#delays.size < this.#options.count) this.#start()
  }

  #exited(worker: Worker, code: number | null, signal: string | null): void {
    this.#workers.delete(worker)
    this.#metrics.forget(worker.process.id)
    if (this.#holder === worker) this.#holder = null
    this.#chooseHolder()
    if (this.#exitCode !== null) {
      // One that was still starting ends by the signal itself.
      if (code !== 0 && signal !== 'SIGTERM') this.#exitCode = 1
      this.#endIfAlone()
      return
    }
    const servedMs = worker.readyAt === null ? 0 : performance.now() - worker.readyAt
    if (worker.readyAt === null && this.#ready().length === 0) {
      this.stop(1)
      this.#endIfAlone()
      return
    }
    this.failures += 1
    this.#early = servedMs >= PROVEN_MS ? 0 : this.#early + 1
    this.#replace(worker, { code, signal }, replacementDelay(this.#early))
  }

  #replace({ process, readyAt }: Worker, ended: object, delayMs: number): void {
    const what = readyAt === null ? 'a worker failed to start' : 'a worker ended'
    this.#options.log.error({ worker: process.id, ...ended, delayMs }, `${what}; another replaces it`)
    const delay = setTimeout(() => {
      this.#delays.delete(delay)
      this.#start()
    }, delayMs)
    this.#delays.add(delay)
  }

  #ready(): Worker[] {
    return [...this.#workers].filter(({ readyAt }) => readyAt !== null)
  }

  #chooseHolder(): void {
    if (this.#holder !== null || this.#exitCode !== null) return
    this.#holder = this.#ready()[0] ?? null
    this.#holder?.process.send({ kind: 'serve-owner' })
  }

  #ping(): void {
    for (const worker of this.#ready()) {
      if (worker.unanswered >= MAX_UNANSWERED) {
        this.#options.log.error({ worker: worker.process.id }, 'a worker has not answered for a minute and is killed')
        worker.process.kill('SIGKILL')
      } else {
        worker.unanswered += 1
        worker.process.send({ kind: 'ping' })
      }
    }
  }

  #endIfAlone(): void {
    if (this.#workers.size === 0) this.#options.onEnd(this.#exitCode ?? 0)
  }
}
