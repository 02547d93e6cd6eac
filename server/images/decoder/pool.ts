import { AsyncResource } from 'node:async_hooks'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { z } from 'zod'
import { FairQueue, type QueueFigures, QueueFull } from '#server/turns/fair-queue.ts'
import type { Turn } from '#server/turns/lanes.ts'
import type { PatienceOptions } from '#server/turns/patience.ts'
import {
  type DecodeJob,
  type DecodeOutcome,
  type Decoder,
  decodeOutcome,
  KEPT_AT_MOST,
  MAX_DECODER_MEMORY,
  type RenderJob,
  type RenderOutcome,
  renderOutcome,
} from './decoder.ts'
import { DecoderProcess, TOO_COSTLY } from './process.ts'

export interface PoolOptions {
  /** Files decoded at once, each by a process. */
  readonly size?: number
  /** How many of them may be of one owner, so that another one's file never waits for all of them. */
  readonly perOwner?: number
  /** Files that may wait beyond those; more are refused as busy, of the owner with the most. */
  readonly queue?: number
  /** The time limit for one file. */
  readonly deadlineMs?: number
  /** Bytes of resident memory at which a process ends itself. */
  readonly maxMemory?: number
  /** Jobs after which a process is replaced, before its heap is fragmented. */
  readonly jobsPerProcess?: number
  /** When pictures are rendered whose uploads have been answered. */
  readonly patience?: Partial<PatienceOptions>
  /** The program that processes run; tests bring one that misbehaves. */
  readonly program?: string
  readonly watch?: WatchDecoder
}

type Kind = 'decode' | 'render'

/** Does the work of a decoder process, after `waitedMs` in the queue. */
export type WatchDecoder = <Outcome extends Ended>(
  kind: Kind,
  waitedMs: number,
  work: () => Promise<Outcome>,
) => Promise<Outcome>

/** Uploads that follow each other come first. Three quarters of the pictures that may be kept are many. */
const PATIENCE = { quietMs: 100, maxMs: 10_000, most: Math.ceil(KEPT_AT_MOST * 0.75) }

const BUSY = { outcome: 'busy' } as const

export interface Ended {
  readonly outcome: string
}

/** Decodes in child processes, started on demand. A file that hangs, crashes or bloats one affects only that process. Owners take
 *  turns. The processes together hold at most `size` times `maxMemory`; a file that waits is on the disk. */
export class DecoderPool implements Decoder {
  readonly #options: Required<PoolOptions>
  readonly #idle: DecoderProcess[] = []
  readonly #processes = new Set<DecoderProcess>()
  readonly #queue: FairQueue
  #isClosed = false
  jobs = 0

  constructor(options: PoolOptions = {}) {
    const program = join(import.meta.dirname, 'child.ts')
    const { size = 3, perOwner = Math.max(1, size - 1), queue = 50 } = options
    const defaults = { deadlineMs: 20_000, maxMemory: MAX_DECODER_MEMORY, jobsPerProcess: 200 }
    const patience = { beside: Math.min(size, availableParallelism()), ...PATIENCE, ...options.patience }
    const watch: WatchDecoder = options.watch ?? ((_kind, _waitedMs, work) => work())
    this.#options = { ...defaults, program, ...options, size, perOwner, queue, patience, watch }
    this.#queue = new FairQueue({ running: size, runningPerLane: perOwner, waiting: queue, patience })
  }

  async decode(job: DecodeJob, turn: Turn): Promise<DecodeOutcome> {
    try {
      return await this.#queue.run(
        turn,
        this.#watched('decode', () => this.#run(job, decodeOutcome)),
      )
    } catch (error) {
      if (error instanceof QueueFull || error === turn.signal?.reason) return BUSY
      throw error
    }
  }

  async render(job: RenderJob, turn: Turn | null): Promise<RenderOutcome> {
    const work = this.#watched('render', () => this.#run(job, renderOutcome))
    try {
      return await (turn ? this.#queue.run(turn, work) : this.#queue.runPatiently(work))
    } catch (error) {
      if (error instanceof QueueFull || error === turn?.signal?.reason) return BUSY
      throw error
    }
  }

  get figures(): QueueFigures {
    return this.#queue.figures
  }

  /** The queue starts work as other work ends: bound, it stays a part of the request that asked for it. */
  #watched<Outcome extends Ended>(kind: Kind, work: () => Promise<Outcome>): () => Promise<Outcome> {
    const askedAt = performance.now()
    return AsyncResource.bind(() => this.#options.watch(kind, performance.now() - askedAt, work))
  }

  /** Kills every process; waiting and running jobs resolve with 'busy'. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#queue.close()
    await Promise.all(Array.from(this.#processes, (child) => child.kill()))
  }

  /** A process that died while idle takes no job. That is not the file's fault, so a new process gets it. */
  async #run<Outcome extends Ended>(
    job: DecodeJob | RenderJob,
    outcomes: z.ZodType<Outcome>,
  ): Promise<Outcome | typeof TOO_COSTLY | typeof BUSY> {
    const first = await this.#runIn(this.#idle.pop() ?? this.#start(), job, outcomes)
    const outcome = first ?? (this.#isClosed ? null : await this.#runIn(this.#start(), job, outcomes)) ?? TOO_COSTLY
    return this.#isClosed && outcome.outcome === 'too-costly' ? BUSY : outcome
  }

  async #runIn<Outcome>(child: DecoderProcess, job: DecodeJob | RenderJob, outcomes: z.ZodType<Outcome>) {
    try {
      await child.ready
      this.jobs += 1
      const outcome = await child.run(job, outcomes)
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
    const { jobsPerProcess, perOwner } = this.#options
    const isWorn = child.jobs >= jobsPerProcess
    // What only several owners at once need is not kept for one.
    if (this.#isClosed || isWorn || this.#idle.length >= perOwner) await child.kill()
    else this.#idle.push(child)
  }
}
