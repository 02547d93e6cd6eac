import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { z } from 'zod'
import { type DecodeJob, type DecodeOutcome, type Decoder, decodeOutcome, MAX_DECODER_MEMORY } from './decoder.ts'

export interface PoolOptions {
  /** Files decoded at once. */
  readonly size?: number
  /** Files waiting beyond those; more are refused as busy. */
  readonly queue?: number
  /** How long one file may take. */
  readonly deadlineMs?: number
  /** Bytes of resident memory at which a process ends itself. */
  readonly maxMemory?: number
  /** Jobs after which a process is replaced, before its heap has grown ragged. */
  readonly jobsPerProcess?: number
  /** The program the processes run; tests bring one that misbehaves. */
  readonly program?: string
}

interface Waiting {
  readonly job: DecodeJob
  resolve(outcome: DecodeOutcome): void
  reject(error: unknown): void
}

/** Loading sharp takes a quarter of a second, more on a busy machine. */
const START_DEADLINE_MS = 20_000

const childMessage = z.union([decodeOutcome, z.strictObject({ outcome: z.literal('ready') })])

/** Decodes in child processes, started as they are needed. A file that hangs, bursts or kills one costs that process only. */
export class DecoderPool implements Decoder {
  readonly #options: Required<PoolOptions>
  readonly #idle: DecoderProcess[] = []
  readonly #processes = new Set<DecoderProcess>()
  readonly #waiting: Waiting[] = []
  #atWork = 0
  #isClosed = false
  jobs = 0

  constructor(options: PoolOptions = {}) {
    const program = join(import.meta.dirname, 'decoder-child.ts')
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

  /** Ends every process; whoever still waits hears 'busy'. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const { resolve } of this.#waiting.splice(0)) resolve({ outcome: 'busy' })
    await Promise.all(Array.from(this.#processes, (child) => child.kill()))
  }

  #startNext(): void {
    if (this.#atWork >= this.#options.size) return
    const next = this.#waiting.shift()
    if (!next) return
    this.#atWork += 1
    this.#run(next.job)
      .then(next.resolve, next.reject)
      .finally(() => {
        this.#atWork -= 1
        this.#startNext()
      })
  }

  async #run(job: DecodeJob): Promise<DecodeOutcome> {
    const child = this.#take()
    try {
      await child.ready
      this.jobs += 1
      const outcome = await child.run(job, this.#options.deadlineMs)
      await this.#giveBack(child)
      return outcome
    } catch (error) {
      await child.kill()
      throw error
    }
  }

  #take(): DecoderProcess {
    const idle = this.#idle.pop()
    if (idle) return idle
    const child = new DecoderProcess(this.#options)
    this.#processes.add(child)
    void child.exited.then(() => {
      this.#processes.delete(child)
      if (this.#idle.includes(child)) this.#idle.splice(this.#idle.indexOf(child), 1)
    })
    return child
  }

  async #giveBack(child: DecoderProcess): Promise<void> {
    if (!child.isAlive) return
    if (this.#isClosed || child.jobs >= this.#options.jobsPerProcess) await child.kill()
    else this.#idle.push(child)
  }
}

/** One child process, which does one job at a time. */
class DecoderProcess {
  readonly #child: ChildProcess
  readonly exited: Promise<void>
  /** Rejects when the process cannot even start: that is our fault and no image's. */
  readonly ready: Promise<void>
  jobs = 0
  #hasExited = false

  constructor({ program, maxMemory }: Required<PoolOptions>) {
    // Nothing of our environment goes to a process that reads strangers' files.
    // (Fewer arenas keep glibc from holding on to what a large picture needed.)
    const env = { NODE_ENV: 'production', MALLOC_ARENA_MAX: '2' } as const
    this.#child = fork(program, [`${maxMemory}`], { env, execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
    this.exited = new Promise((resolve) => {
      const exit = () => {
        this.#hasExited = true
        resolve()
      }
      this.#child.once('exit', exit)
      this.#child.once('error', exit)
    })
    this.ready = this.#message(START_DEADLINE_MS).then((message) => {
      if (message?.outcome !== 'ready') throw new Error('The image decoder does not start')
    })
    this.ready.catch(() => undefined)
  }

  get isAlive(): boolean {
    return !this.#hasExited && this.#child.connected
  }

  /** Runs a job to its end, the deadline's or the process's. */
  async run(job: DecodeJob, deadlineMs: number): Promise<DecodeOutcome> {
    this.jobs += 1
    const answer = this.#message(deadlineMs)
    this.#child.send(job, () => undefined)
    const message = await answer
    if (message && message.outcome !== 'ready') return message
    await this.kill()
    return { outcome: 'too-costly' }
  }

  async kill(): Promise<void> {
    if (!this.#hasExited) this.#child.kill('SIGKILL')
    await this.exited
  }

  /** The next message; null when the process ended without one, was ended by the deadline, or says what it may not say. */
  async #message(deadlineMs: number): Promise<z.infer<typeof childMessage> | null> {
    const ended = new AbortController()
    const deadline = setTimeout(() => void this.kill(), deadlineMs)
    const message = once(this.#child, 'message', { signal: ended.signal }).catch(() => [null])
    const first = await Promise.race([message, this.exited.then(() => [null])])
    clearTimeout(deadline)
    ended.abort()
    return childMessage.safeParse(first[0]).data ?? null
  }
}
