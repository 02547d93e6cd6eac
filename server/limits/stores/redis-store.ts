import { Cluster, type Redis } from 'ioredis'
import { AS_IT_IS, type Ends, type LimitStore, type Operation, type Outcome } from '../store.ts'
import { keysOf, tripArguments } from './arguments.ts'
import { byHashTag } from './hash-tag.ts'
import type { LuaScript } from './lua-script.ts'
import { type Passenger, underWay } from './passenger.ts'
import { readReply } from './reply.ts'
import { tripsOf } from './trips.ts'

export interface RedisStoreOptions {
  /** On a Cluster the keys of one operation have one hash tag. */
  readonly client: Redis | Cluster
  readonly script: LuaScript
  /** An operation that takes longer than this rejects. Redis may still do it: that errs on the side of the limit. */
  readonly deadlineMs: number
  /** Operations that one script call carries at most. */
  readonly tripSize?: number
}

/** What left together, and how many trips of it are still to come back. */
interface Departure {
  readonly passengers: readonly Passenger[]
  readonly at: number
  trips: number
}

const TRIP_SIZE = 64

/** Counts in Redis. What one turn of the event loop asks for travels together, in one script call (on a Cluster one for
 *  each hash tag), and is done in order, each operation by itself. */
export class RedisStore implements LimitStore {
  readonly #client: Redis | Cluster
  readonly #script: LuaScript
  readonly #deadlineMs: number
  readonly #tripSize: number
  readonly #connected: Promise<void>
  #isConnected = false
  #waiting: Passenger[] = []
  /** Whether more than one left together when last something left. */
  #isGathering = false
  /** In the order in which they left, which is mostly that in which they come back. No Set: one that is always added to and
   *  taken from gets ever new tables, V8 keeps each for as long as the one before it, and with it all that it held. Once
   *  one of them was old, a tenth of what decisions leave behind got old with it. */
  readonly #underWay: Departure[] = []
  #isTimed = false

  constructor({ client, script, deadlineMs, tripSize = TRIP_SIZE }: RedisStoreOptions) {
    this.#client = client
    this.#script = script
    this.#deadlineMs = deadlineMs
    this.#tripSize = tripSize
    this.#connected = firstConnection(client).then(() => {
      this.#isConnected = true
    })
  }

  apply(operation: Operation): Promise<Outcome> {
    return this.applyThen(operation, AS_IT_IS)
  }

  applyThen<T>(operation: Operation, ends: Ends<T>): Promise<T> {
    return underWay(operation, ends, this.#board)
  }

  async close(): Promise<void> {
    this.#client.disconnect()
  }

  readonly #board = (passenger: Passenger): void => {
    if (this.#waiting.push(passenger) > 1) return
    // Where traffic is, others ask for more within the turn. Who is alone leaves with what asks in the same moment.
    if (this.#isGathering || this.#underWay.length > 0) setImmediate(this.#depart)
    else process.nextTick(this.#depart)
  }

  readonly #depart = (): void => {
    const passengers = this.#waiting
    this.#waiting = []
    this.#isGathering = passengers.length > 1
    const departure = { passengers, at: performance.now(), trips: 0 }
    this.#underWay.push(departure)
    if (!this.#isTimed) this.#checkAfter(this.#deadlineMs)
    if (this.#isConnected) this.#send(departure)
    else void this.#connected.then(() => this.#send(departure))
  }

  #send(departure: Departure): void {
    const { passengers } = departure
    const groups = this.#client instanceof Cluster ? byHashTag(passengers) : [passengers]
    const trips = groups.flatMap((group) => tripsOf(group, this.#tripSize))
    departure.trips = trips.length
    for (const trip of trips) this.#travel(trip, departure)
  }

  /** With callbacks, for the promises of async functions would cost a decision that travels alone a twentieth. */
  #travel(passengers: readonly Passenger[], departure: Departure): void {
    const operations = passengers.map(({ operation }) => operation)
    const arrive = (outcomes: readonly (Outcome | Error)[]) => {
      departure.trips -= 1
      if (departure.trips === 0) this.#comeBack(departure)
      let next = 0
      for (const passenger of passengers) {
        const outcome = outcomes[next]
        next += 1
        if (outcome) passenger.arrive(outcome)
      }
    }
    const fail = (error: unknown) => arrive(operations.map(() => errorOf(error)))
    const succeed = (reply: unknown) => {
      try {
        arrive(readReply(reply, operations))
      } catch (error) {
        fail(error)
      }
    }
    try {
      this.#evaluate(operations, succeed, fail)
    } catch (error) {
      fail(error)
    }
  }

  /** A restart or a failover forgets scripts. Only that is tried again, for any other error may come after the charge. */
  #evaluate(operations: readonly Operation[], done: (reply: unknown) => void, failed: (error: unknown) => void): void {
    const keys = keysOf(operations)
    const args = [this.#script.sha, keys.length, ...keys, ...tripArguments(operations)]
    this.#client.callBuffer('evalsha', args).then(done, (error: unknown) => {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) failed(error)
      else this.#client.callBuffer('eval', args.with(0, this.#script.text)).then(done, failed)
    })
  }

  /** One timer for all: it rings when the oldest of those under way would be late. */
  #checkAfter(ms: number): void {
    this.#isTimed = true
    // When this process was the slow one, the answer lies in the socket by now: it is read before the immediate runs.
    setTimeout(() => setImmediate(this.#check), ms).unref()
  }

  readonly #check = (): void => {
    this.#isTimed = false
    const now = performance.now()
    for (;;) {
      const [oldest] = this.#underWay
      if (!oldest) return
      const left = oldest.at + this.#deadlineMs - now
      if (left > 0) {
        this.#checkAfter(Math.ceil(left))
        return
      }
      this.#comeBack(oldest)
      const late = new Error(`Redis gave no answer within ${this.#deadlineMs} ms`)
      for (const passenger of oldest.passengers) passenger.arrive(late)
    }
  }

  /** Or is given up, and may come back later still. */
  #comeBack(departure: Departure): void {
    const place = this.#underWay.indexOf(departure)
    if (place >= 0) this.#underWay.splice(place, 1)
  }
}

function errorOf(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason))
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
