import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Fleet } from '#server/limits/fleet/fleet.ts'
import { type KeptRefusal, keptRefusal, keptRefusalSchema } from './kept-refusal.ts'
import type { RefusalLog } from './refusal-log.ts'

/** How long the other processes have to answer, in milliseconds. */
const PATIENCE_MS = 1_000

/** Refusals of one request that are sent: a batch may have more. */
const MOST = 50

const WANTED = 'refusal-wanted'
const FOUND = 'refusal-found'

const id = z.string().max(128)
const wantedSchema = z.object({ question: z.uuid(), requestId: id })
const foundSchema = z.object({ question: z.uuid(), refusals: z.array(keptRefusalSchema).max(MOST) })

interface Question {
  /** How many processes have not answered. */
  open: number
  readonly resolve: (refusals: readonly KeptRefusal[]) => void
}

/** Finds refusals in the processes that share a Redis: each keeps its own, and answers when another asks. Nothing is stored. */
export class FleetRefusals {
  readonly #log: RefusalLog
  readonly #fleet: Fleet
  readonly #questions = new Map<string, Question>()

  constructor(log: RefusalLog, fleet: Fleet) {
    this.#log = log
    this.#fleet = fleet
    fleet.hear(WANTED, (message) => this.#answer(message))
    fleet.hear(FOUND, (message) => this.#take(message))
  }

  /** Returns the refusals of a request, the oldest first; none if no process that answers in time has kept one. */
  async find(requestId: string): Promise<readonly KeptRefusal[]> {
    const own = this.#own(requestId)
    const open = this.#fleet.size - 1
    // One process has answered the request.
    if (own.length > 0 || open === 0) return own
    const question = randomUUID()
    const { promise, resolve } = Promise.withResolvers<readonly KeptRefusal[]>()
    this.#questions.set(question, { open, resolve })
    const timer = setTimeout(() => resolve([]), PATIENCE_MS)
    this.#fleet.tell(WANTED, JSON.stringify({ question, requestId }))
    return promise.finally(() => {
      clearTimeout(timer)
      this.#questions.delete(question)
    })
  }

  /** Keeps a refusal that the limiter does not know of. */
  get note(): RefusalLog['note'] {
    return this.#log.note
  }

  /** Returns the values of the arguments that the keys of this process's refusals count. */
  argumentsByKey(): ReadonlyMap<string, string> {
    return this.#log.argumentsByKey()
  }

  #own(requestId: string): readonly KeptRefusal[] {
    return this.#log.find(requestId).slice(0, MOST).map(keptRefusal)
  }

  #answer(message: string): void {
    const { data: wanted } = wantedSchema.safeParse(parsed(message))
    if (!wanted) return
    const { question, requestId } = wanted
    this.#fleet.tell(FOUND, JSON.stringify({ question, refusals: this.#own(requestId) }))
  }

  #take(message: string): void {
    const { data: found } = foundSchema.safeParse(parsed(message))
    const question = found && this.#questions.get(found.question)
    if (!question) return
    question.open -= 1
    if (found.refusals.length > 0 || question.open === 0) question.resolve(found.refusals)
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
