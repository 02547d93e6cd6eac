import { Cluster, type Redis } from 'ioredis'
import type { LimitStore, Operation, Outcome } from '../store.ts'
import { keysOf, tripArguments } from './arguments.ts'
import { hashTagOf } from './hash-tag.ts'
import type { LuaScript } from './lua-script.ts'
import { readReply } from './reply.ts'

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
/** What is more than this travels in two trips: Redis does the one while this process sees to the other. */
const UNDIVIDED = 16
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
    return new Promise((resolve, reject) => {
      if (this.#waiting.push({ operation, resolve, reject }) === 1) setImmediate(() => void this.#depart())
    })
  }

  async close(): Promise<void> {
    this.#client.disconnect()
  }

  async #depart(): Promise<void> {
    const all = this.#waiting
    this.#waiting = []
    const late = () => rejectAll(all, new Error(`Redis gave no answer within ${this.#deadlineMs} ms`))
    // When this process was the slow one, the answer lies in the socket by now: it is read before the immediate runs.
    const timer = setTimeout(() => setImmediate(late), this.#deadlineMs)
    await this.#connected
    const groups = this.#client instanceof Cluster ? byHashTag(all) : [all]
    const trips = [...groups].flatMap((group) => tripsOf(group, this.#tripSize))
    await Promise.all(trips.map((trip) => this.#travel(trip)))
    clearTimeout(timer)
  }

  async #travel(passengers: readonly Passenger[]): Promise<void> {
    const operations = passengers.map(({ operation }) => operation)
    try {
      const outcomes = readReply(await this.#evaluate(operations), operations)
      for (const [index, { resolve, reject }] of passengers.entries()) {
        const outcome = outcomes[index]
        if (outcome instanceof Error) reject(outcome)
        else if (outcome) resolve(outcome)
      }
    } catch (error) {
      rejectAll(passengers, error instanceof Error ? error : new Error(String(error)))
    }
  }

  /** A restart or a failover forgets scripts. Only that is tried again, for any other error may come after the charge. */
  async #evaluate(operations: readonly Operation[]): Promise<unknown> {
    const keys = operations.flatMap(({ type, charges }) => charges.flatMap((charge) => keysOf(charge, type)))
    const args = [...keys, ...tripArguments(operations)]
    try {
      return await this.#client.callBuffer('evalsha', this.#script.sha, keys.length, ...args)
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error
      return await this.#client.callBuffer('eval', this.#script.text, keys.length, ...args)
    }
  }
}

function rejectAll(passengers: readonly Passenger[], reason: Error): void {
  for (const { reject } of passengers) reject(reason)
}

/** In order, so many in each as one script call carries: at least one, however much that one charges. */
function tripsOf(group: readonly Passenger[], most: number): readonly (readonly Passenger[])[] {
  const tripSize = Math.min(most, Math.max(UNDIVIDED, Math.ceil(group.length / 2)))
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
