import { type ChildProcess, fork } from 'node:child_process'
import { z } from 'zod'
import { type DecodeJob, type DecodeOutcome, decodeOutcome } from './decoder.ts'

interface ProcessOptions {
  readonly program: string
  /** Bytes of resident memory at which it ends itself. */
  readonly maxMemory: number
  /** How long one job may take. */
  readonly deadlineMs: number
}

/** Loading sharp takes a quarter of a second, more on a busy machine. */
const START_DEADLINE_MS = 20_000

/** What a process says besides the outcome of a job: that it has started, that it takes the job, or that a file could not be read or written. */
const childMessage = z.union([
  decodeOutcome,
  z.strictObject({ outcome: z.literal('ready') }),
  z.strictObject({ outcome: z.literal('taken') }),
  z.strictObject({ outcome: z.literal('failed'), code: z.string().max(20) }),
])

type Answer = Exclude<z.infer<typeof childMessage>, { outcome: 'taken' }>

/** One child process, which does one job at a time. */
export class DecoderProcess {
  readonly #child: ChildProcess
  readonly #deadlineMs: number
  readonly exited: Promise<void>
  /** Rejects when the process cannot even start: that is our fault and no image's. */
  readonly ready: Promise<void>
  jobs = 0
  #hasTaken = false
  #hasExited = false

  constructor({ program, maxMemory, deadlineMs }: ProcessOptions) {
    this.#deadlineMs = deadlineMs
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

  /**
   * Runs a job to its end, the deadline's or the process's. Null when the process ended without having taken it. Throws
   * when this machine, not the file, is to blame.
   */
  async run(job: DecodeJob): Promise<DecodeOutcome | null> {
    this.jobs += 1
    this.#hasTaken = false
    const answer = this.#message(this.#deadlineMs)
    this.#child.send(job, () => undefined)
    const message = await answer
    if (message?.outcome === 'failed') {
      // With the code: a disk that is full is told from a bug by it.
      throw Object.assign(new Error(`The image decoder failed: ${message.code}`), { code: message.code })
    }
    if (message && message.outcome !== 'ready') return message
    await this.kill()
    return this.#hasTaken ? { outcome: 'too-costly' } : null
  }

  async kill(): Promise<void> {
    if (!this.#hasExited) this.#child.kill('SIGKILL')
    await this.exited
  }

  /** The next message that answers; null when the process ended without one, was ended by the deadline, or says what it may not say. */
  async #message(deadlineMs: number): Promise<Answer | null> {
    const { promise: answer, resolve } = Promise.withResolvers<Answer | null>()
    const hear = (message: unknown) => {
      const heard = childMessage.safeParse(message).data ?? null
      if (heard?.outcome === 'taken') this.#hasTaken = true
      else resolve(heard)
    }
    const deadline = setTimeout(() => void this.kill(), deadlineMs)
    this.#child.on('message', hear)
    const first = await Promise.race([answer, this.exited.then(() => null)])
    clearTimeout(deadline)
    this.#child.off('message', hear)
    return first
  }
}
