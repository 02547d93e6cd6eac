import { Cluster, type Redis } from 'ioredis'
import type { LimitStore, Operation, Outcome, RuleAnswer } from '../store.ts'
import { keysOf, operationArguments } from './arguments.ts'
import { hashTagOf } from './hash-tag.ts'
import type { LuaScript } from './lua-script.ts'
import { within } from './within.ts'

export interface RedisStoreOptions {
  /** On a Cluster the keys of one operation have one hash tag. */
  readonly client: Redis | Cluster
  readonly script: LuaScript
  /** An operation that takes longer than this rejects. Redis may still do it: that errs on the side of the limit. */
  readonly deadlineMs: number
  /** Operations that one script call carries at most. */
  readonly tripSize?: number
}

/** An operation on its way. */
interface Passenger {
  readonly operation: Operation
  resolve(outcome: Outcome): void
  reject(error: Error): void
}

const TRIP_SIZE = 64
/** Charges of the operations that travel together: a list of arguments has one for each, and all are a command's words. */
const TRIP_CHARGES = 1_000

/** Counts in Redis. What one turn of the event loop asks for travels together, in one script call (on a Cluster one for
 *  each hash tag), and is done in order, each operation by itself. */
export class RedisStore implements LimitStore {
  readonly #client: Redis | Cluster
  readonly #script: LuaScript
  readonly #deadlineMs: number
  readonly #tripSize: number
  readonly #connected: Promise<void>
  #waiting: Passenger[] = []

  constructor({ client, script, deadlineMs, tripSize = TRIP_SIZE }: RedisStoreOptions) {
    this.#client = client
    this.#script = script
    this.#deadlineMs = deadlineMs
    this.#tripSize = tripSize
    this.#connected = firstConnection(client)
  }

  apply(operation: Operation): Promise<Outcome> {
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>()
    if (this.#waiting.push({ operation, resolve, reject }) === 1) setImmediate(() => void this.#depart())
    return within(this.#deadlineMs, promise)
  }

  async close(): Promise<void> {
    this.#client.disconnect()
  }

  async #depart(): Promise<void> {
    const all = this.#waiting
    this.#waiting = []
    await this.#connected
    for (const group of this.#client instanceof Cluster ? byHashTag(all) : [all]) {
      for (const passengers of tripsOf(group, this.#tripSize)) void this.#travel(passengers)
    }
  }

  async #travel(passengers: readonly Passenger[]): Promise<void> {
    const operations = passengers.map(({ operation }) => operation)
    try {
      const { at, results } = parseReply(await this.#evaluate(operations), operations)
      for (const [index, { resolve, reject }] of passengers.entries()) {
        const result = results[index] ?? new Error('Redis gave fewer replies than it was asked for')
        if (result instanceof Error) reject(result)
        else resolve({ at: operations[index]?.charges.map(() => at) ?? [], answers: result })
      }
    } catch (error) {
      const reason = error instanceof Error ? error : new Error(String(error))
      for (const { reject } of passengers) reject(reason)
    }
  }

  /** A restart or a failover forgets scripts. Only that is tried again, for any other error may come after the charge. */
  async #evaluate(operations: readonly Operation[]): Promise<unknown> {
    const keys = operations.flatMap(({ type, charges }) => charges.flatMap((charge) => keysOf(charge, type)))
    const args = [...keys, ...operations.flatMap(operationArguments)]
    try {
      return await this.#client.evalsha(this.#script.sha, keys.length, ...args)
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error
      return await this.#client.eval(this.#script.text, keys.length, ...args)
    }
  }
}

/** The time and, for each operation, its answers or why it failed. */
function parseReply(reply: unknown, operations: readonly Operation[]) {
  if (!Array.isArray(reply)) throw new Error('Redis gave a reply of another form')
  const [at, ...results]: unknown[] = reply
  return { at: wholeNumber(at), results: results.map((result, index) => parseResult(result, operations[index])) }
}

function parseResult(result: unknown, operation: Operation | undefined): readonly RuleAnswer[] | Error {
  if (typeof result === 'string') return new Error(result)
  const isAnswered = operation && operation.type !== 'refund' && operation.type !== 'reset'
  const rules = isAnswered ? operation.charges.reduce((sum, charge) => sum + charge.rules.length, 0) : 0
  if (!Array.isArray(result) || result.length !== 4 * rules) return new Error('Redis gave a reply of another form')
  const numbers = result.map(wholeNumber)
  return Array.from({ length: rules }, (_, rule) => {
    const [remaining = 0, resetMs = 0, waitMs = 0, delayMs = 0] = numbers.slice(rule * 4, rule * 4 + 4)
    return { remaining, resetMs, waitMs, delayMs }
  })
}

function wholeNumber(value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
    throw new Error('Redis gave a reply that is no whole number')
  }
  return value
}

/** In order, so many in each as one script call carries: at least one, however much that one charges. */
function tripsOf(group: readonly Passenger[], tripSize: number): readonly (readonly Passenger[])[] {
  const trips: Passenger[][] = []
  let charges = Number.POSITIVE_INFINITY
  for (const passenger of group) {
    const trip = trips.at(-1)
    charges += passenger.operation.charges.length
    if (trip && trip.length < tripSize && charges <= TRIP_CHARGES) {
      trip.push(passenger)
    } else {
      trips.push([passenger])
      charges = passenger.operation.charges.length
    }
  }
  return trips
}

function byHashTag(passengers: readonly Passenger[]): Iterable<readonly Passenger[]> {
  return Map.groupBy(passengers, ({ operation }) => hashTagOf(operation.charges[0]?.key ?? '')).values()
}

/** Operations of the first moment wait for the connection; once there was one, or none could be had, they do not. */
async function firstConnection(client: Redis | Cluster): Promise<void> {
  await readyOrClosed(client)
  if (client instanceof Cluster) await Promise.all(client.nodes('master').map(readyOrClosed))
}

function readyOrClosed(client: Redis | Cluster): Promise<void> {
  if (client.status === 'ready') return Promise.resolve()
  const { promise, resolve } = Promise.withResolvers<void>()
  client.once('ready', resolve)
  client.once('close', resolve)
  return promise
}
