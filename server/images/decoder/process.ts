import { type ChildProcess, fork } from 'node:child_process'
import { z } from 'zod'
import { type DecodeJob, type DecodeOutcome, decodeOutcome } from './decoder.ts'

interface ProcessOptions {
  readonly program: string
  /** Bytes of resident memory at which it ends itself. */
  readonly maxMemory: number
  /** The time limit for one job. */
  readonly deadlineMs: number
}

/** Loading sharp takes a quarter of a second, longer on a busy machine. */
const START_DEADLINE_MS = 20_000

/** What a process sends besides outcomes: that it has started, that it has taken the job, or that a file could not be
 *  read or written. */
const childMessage = z.union([
  decodeOutcome,
  z.strictObject({ outcome: z.literal('ready') }),
  z.strictObject({ outcome: z.literal('taken') }),
  z.strictObject({ outcome: z.literal('failed'), code: z.string().max(20) }),
])

type Answer = Exclude<z.infer<typeof childMessage>, { outcome: 'taken' }>

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
    this.ready = this.#message(START_DEADLINE_MS).then((message) => {
      if (message?.outcome !== 'ready') throw new Error('image decoder did not start')
    })
    this.ready.catch(() => undefined)
  }

  get isAlive(): boolean {
    return !this.#hasExited && this.#child.connected
  }

  /** Runs a job until it ends, the deadline passes or the process dies. Returns null when the process died without
   *  taking the job. Throws when the fault is this machine's, not the file's. */
  async run(job: DecodeJob): Promise<DecodeOutcome | null> {
    this.jobs += 1
    this.#hasTaken = false
    const answer = this.#message(this.#deadlineMs)
    this.#child.send(job, () => undefined)
    const message = await answer
    if (message?.outcome === 'failed') {
      // The code distinguishes a full disk from a bug.
      throw Object.assign(new Error(`image decoder failed: ${message.code}`), { code: message.code })
    }
    if (message && message.outcome !== 'ready') return message
    await this.kill()
    return this.#hasTaken ? { outcome: 'too-costly' } : null
  }

  async kill(): Promise<void> {
    if (!this.#hasExited) this.#child.kill('SIGKILL')
    await this.exited
  }

  /** Waits for the next message other than 'taken'. Null when the process ends without one, misses the deadline, or
   *  sends an invalid message. */
  async #message(deadlineMs: number): Promise<Answer | null> {
    const { promise: answer, resolve } = Promise.withResolvers<Answer | null>()
    const onMessage = (message: unknown) => {
      const parsed = childMessage.safeParse(message).data ?? null
      if (parsed?.outcome === 'taken') this.#hasTaken = true
      else resolve(parsed)
    }
    const deadline = setTimeout(() => void this.kill(), deadlineMs)
    this.#child.on('message', onMessage)
    const first = await Promise.race([answer, this.exited.then(() => null)])
    clearTimeout(deadline)
    this.#child.off('message', onMessage)
    return first
  }
}
