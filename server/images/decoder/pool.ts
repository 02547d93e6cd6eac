import { join } from 'node:path'
import { type DecodeJob, type DecodeOutcome, type Decoder, MAX_DECODER_MEMORY } from './decoder.ts'
import { DecoderProcess } from './process.ts'

export interface PoolOptions {
  /** Files decoded at once. */
  readonly size?: number
  /** Files that may wait beyond those; more are refused as busy. */
  readonly queue?: number
  /** The time limit for one file. */
  readonly deadlineMs?: number
  /** Bytes of resident memory at which a process ends itself. */
  readonly maxMemory?: number
  /** Jobs after which a process is replaced, before its heap is fragmented. */
  readonly jobsPerProcess?: number
  /** The program that processes run; tests bring one that misbehaves. */
  readonly program?: string
}

const TOO_COSTLY = { outcome: 'too-costly' } as const

interface Waiting {
  readonly job: DecodeJob
  resolve(outcome: DecodeOutcome): void
  reject(error: unknown): void
}

/** Decodes in child processes, started on demand. A file that hangs, crashes or bloats one affects only that
 *  process. */
export class DecoderPool implements Decoder {
  readonly #options: Required<PoolOptions>
  readonly #idle: DecoderProcess[] = []
  readonly #processes = new Set<DecoderProcess>()
  readonly #waiting: Waiting[] = []
  #running = 0
  #isClosed = false
  jobs = 0

  constructor(options: PoolOptions = {}) {
    const program = join(import.meta.dirname, 'child.ts')
    const defaults = { size: 2, queue: 50, deadlineMs: 20_000, maxMemory: MAX_DECODER_MEMORY, jobsPerProcess: 200 }
    this.#options = { ...defaults, program, ...options }
  }

  decode(job: DecodeJob): Promise<DecodeOutcome> {
    if (this.#isClosed || this.#waiting.length >= this.#options.queue) return Promise.resolve({ outcome: 'busy' })
    return new Promise((resolve, reject) => {
      this.#waiting.push({ job, resolve, reject })
      this.#startNext()
    })
  }

  /** Kills every process; waiting and running jobs resolve with 'busy'. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const { resolve } of this.#waiting.splice(0)) resolve({ outcome: 'busy' })
    await Promise.all(Array.from(this.#processes, (child) => child.kill()))
  }

  #startNext(): void {
    if (this.#running >= this.#options.size) return
    const next = this.#waiting.shift()
    if (!next) return
    this.#running += 1
    this.#run(next.job)
      .then(next.resolve, next.reject)
      .finally(() => {
        this.#running -= 1
        this.#startNext()
      })
  }

  /** A process that died while idle takes no job. That is not the file's fault, so a new process gets it. */
  async #run(job: DecodeJob): Promise<DecodeOutcome> {
    const first = await this.#runIn(this.#idle.pop() ?? this.#start(), job)
    const outcome = first ?? (this.#isClosed ? null : await this.#runIn(this.#start(), job)) ?? TOO_COSTLY
    return this.#isClosed && outcome.outcome === 'too-costly' ? { outcome: 'busy' } : outcome
  }

  async #runIn(child: DecoderProcess, job: DecodeJob): Promise<DecodeOutcome | null> {
    try {
      await child.ready
      this.jobs += 1
      const outcome = await child.run(job)
      await this.#release(child)
      return outcome
    } catch (error) {
      await child.kill()
      if (this.#isClosed) return null
      throw error
    }
  }

  #start(): DecoderProcess {
    const child = new DecoderProcess(this.#options)
    this.#processes.add(child)
    void child.exited.then(() => {
      this.#processes.delete(child)
      if (this.#idle.includes(child)) this.#idle.splice(this.#idle.indexOf(child), 1)
    })
    return child
  }

  async #release(child: DecoderProcess): Promise<void> {
    if (!child.isAlive) return
    if (this.#isClosed || child.jobs >= this.#options.jobsPerProcess) await child.kill()
    else this.#idle.push(child)
  }
}
