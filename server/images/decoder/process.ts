import { type ChildProcess, fork } from 'node:child_process'
import { z } from 'zod'
import type { DecodeJob, RenderJob } from './decoder.ts'

interface ProcessOptions {
  readonly program: string
  /** Bytes of resident memory at which it ends itself. */
  readonly maxMemory: number
  /** The time limit for one job. */
  readonly deadlineMs: number
}

/** Loading sharp takes a quarter of a second, longer on a busy machine. */
const START_DEADLINE_MS = 20_000

/** What a process sends besides the outcome of a job: that it has started, that it has taken the job, or that a file could not be
 *  read or written. */
const ownMessage = z.discriminatedUnion('outcome', [
  z.strictObject({ outcome: z.literal('ready') }),
  z.strictObject({ outcome: z.literal('taken') }),
  z.strictObject({ outcome: z.literal('failed'), code: z.string().max(20) }),
])

interface Message<Outcome> {
  readonly own?: z.infer<typeof ownMessage>
  readonly outcome?: Outcome | undefined
}

/** The outcome of a job that took too long or too much memory, or crashed the process. */
export const TOO_COSTLY = { outcome: 'too-costly' } as const

/** One child process, which runs one job at a time. */
export class DecoderProcess {
  readonly #child: ChildProcess
  readonly #deadlineMs: number
  readonly exited: Promise<void>
  /** Rejects when the process cannot even start, which is our fault and not an image's. */
  readonly ready: Promise<void>
  jobs = 0
  #hasTaken = false
  #hasExited = false

  constructor({ program, maxMemory, deadlineMs }: ProcessOptions) {
    this.#deadlineMs = deadlineMs
    // An empty environment, because the process reads untrusted files. Fewer arenas keep glibc from holding on to the
    // memory of a large picture.
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
    this.ready = this.#message(null, START_DEADLINE_MS).then(({ own }) => {
      if (own?.outcome !== 'ready') throw new Error('image decoder did not start')
    })
    this.ready.catch(() => undefined)
  }

  get isAlive(): boolean {
    return !this.#hasExited && this.#child.connected
  }

  /** Runs a job until it ends, the deadline passes or the process dies. Returns null when the process died without
   *  taking the job. Throws when the fault is this machine's, not the file's. */
  async run<Outcome>(
    job: DecodeJob | RenderJob,
    outcomes: z.ZodType<Outcome>,
  ): Promise<Outcome | typeof TOO_COSTLY | null> {
    this.jobs += 1
    this.#hasTaken = false
    const answer = this.#message(outcomes, this.#deadlineMs)
    this.#child.send(job, () => undefined)
    const { own, outcome } = await answer
    if (own?.outcome === 'failed') {
      // The code distinguishes a full disk from a bug.
      throw Object.assign(new Error(`image decoder failed: ${own.code}`), { code: own.code })
    }
    if (outcome !== undefined) return outcome
    await this.kill()
    return this.#hasTaken ? TOO_COSTLY : null
  }

  async kill(): Promise<void> {
    if (!this.#hasExited) this.#child.kill('SIGKILL')
    await this.exited
  }

  /** Waits for the next message other than 'taken'. Resolves with neither when the process ends without one, misses the
   *  deadline, or sends an invalid message. */
  async #message<Outcome>(outcomes: z.ZodType<Outcome> | null, deadlineMs: number): Promise<Message<Outcome>> {
    const { promise: answer, resolve } = Promise.withResolvers<Message<Outcome>>()
    const onMessage = (message: unknown) => {
      const own = ownMessage.safeParse(message).data
      if (own?.outcome === 'taken') this.#hasTaken = true
      else resolve(own ? { own } : { outcome: outcomes?.safeParse(message).data })
    }
    const deadline = setTimeout(() => void this.kill(), deadlineMs)
    this.#child.on('message', onMessage)
    const first = await Promise.race([answer, this.exited.then(() => ({}))])
    clearTimeout(deadline)
    this.#child.off('message', onMessage)
    return first
  }
}
