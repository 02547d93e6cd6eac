import { Cluster, type Redis } from 'ioredis'
import { type Clock, systemClock } from '../../clock.ts'
import type { LimitStore, Operation, Receipt } from '../../store.ts'
import type { LuaScript } from './lua-script.ts'
import { firstConnection, leaveReplica } from './redis-client.ts'
import { readReply } from './reply.ts'
import { callScript } from './script-call.ts'
import { type Pending, tripsOf } from './trips.ts'

export interface RedisStoreOptions {
  /** On a Cluster the keys of one operation have one hash tag. */
  readonly client: Redis | Cluster
  readonly script: LuaScript
  /** An operation that takes longer than this rejects. Redis may still do it: that errs on the side of the limit. */
  readonly deadlineMs: number
  /** This process's clock, for receipts. */
  readonly clock?: Clock
  /** Operations of one trip at most; 64 by default, and never more than 94 (arguments.ts). */
  readonly tripSize?: number
  /** Called with the milliseconds of each trip, and whether it failed. A trip without a reply by its deadline has failed then. */
  readonly onTrip?: ((ms: number, hasFailed: boolean) => void) | undefined
}

/** The operations that were sent together. */
interface Batch {
  readonly operations: readonly Pending[]
  /** In milliseconds of performance.now(). */
  readonly sentAt: number
  /** How many trips have no reply yet. */
  trips: number
}

const TRIP_SIZE = 64

/** The store in Redis. All operations of one turn of the event loop are a batch. A batch is sent as one trip, which is
 *  one EVALSHA and its reply (on a Cluster, and for large batches, as several). Redis performs the operations of a trip
 *  in order, each by itself. A store that does not answer never hangs a call: each operation ends by its deadline. */
export class RedisStore implements LimitStore {
  readonly #client: Redis | Cluster
  readonly #script: LuaScript
  readonly #deadlineMs: number
  readonly #clock: Clock
  readonly #tripSize: number
  readonly #onTrip: RedisStoreOptions['onTrip']
  readonly #connected: Promise<void>
  #isConnected = false
  /** The operations of the next batch. */
  #queue: Pending[] = []
  /** Whether the last batch had more than one operation. */
  #wasShared = false
  /** In the order in which they were sent, which is mostly that of their replies. No Set: one that is always added to
   *  and taken from gets ever new tables, V8 keeps each for as long as the one before it, and with it all that it held.
   *  Once one of them was old, a tenth of what decisions leave behind got old with it. */
  readonly #inFlight: Batch[] = []
  #hasTimer = false

  constructor({ client, script, deadlineMs, clock = systemClock, tripSize = TRIP_SIZE, onTrip }: RedisStoreOptions) {
    this.#client = client
    this.#script = script
    this.#deadlineMs = deadlineMs
    this.#clock = clock
    this.#tripSize = tripSize
    this.#onTrip = onTrip
    this.#connected = firstConnection(client).then(() => {
      this.#isConnected = true
    })
  }

  apply(operation: Operation): Promise<Receipt> {
    return new Promise((resolve, reject) => this.#enqueue({ operation, resolve, reject }))
  }

  async close(): Promise<void> {
    this.#client.disconnect()
  }

  #enqueue(pending: Pending): void {
    if (this.#queue.push(pending) > 1) return
    // Under traffic wait for the rest of this turn, which will bring more operations. A lone one waits for microtasks
    // only.
    if (this.#wasShared || this.#inFlight.length > 0) setImmediate(this.#flush)
    else process.nextTick(this.#flush)
  }

  readonly #flush = (): void => {
    const operations = this.#queue
    this.#queue = []
    this.#wasShared = operations.length > 1
    const batch = { operations, sentAt: performance.now(), trips: 0 }
    this.#inFlight.push(batch)
    if (!this.#hasTimer) this.#expireAfter(this.#deadlineMs)
    if (this.#isConnected) this.#send(batch)
    else void this.#connected.then(() => this.#send(batch))
  }

  #send(batch: Batch): void {
    const trips = tripsOf(batch.operations, this.#tripSize, this.#client instanceof Cluster)
    batch.trips = trips.length
    for (const trip of trips) this.#sendTrip(trip, batch)
  }

  #sendTrip(trip: readonly Pending[], batch: Batch): void {
    const operations = trip.map(({ operation }) => operation)
    const finish = (hasFailed: boolean) => {
      // One that is late has been counted.
      if (batch.trips > 0) this.#onTrip?.(performance.now() - batch.sentAt, hasFailed)
      batch.trips -= 1
      if (batch.trips === 0) this.#forget(batch)
    }
    const fail = (error: Error) => {
      finish(true)
      leaveReplica(this.#client, error)
      for (const pending of trip) pending.reject(error)
    }
    const succeed = (reply: unknown) => {
      let results: readonly (Receipt | Error)[]
      try {
        results = readReply(reply, operations, this.#clock.now())
      } catch (error) {
        fail(error instanceof Error ? error : new Error(String(error)))
        return
      }
      finish(false)
      let next = 0
      for (const { resolve, reject } of trip) {
        const result = results[next]
        next += 1
        if (result instanceof Error) {
          leaveReplica(this.#client, result)
          reject(result)
        } else if (result) resolve(result)
      }
    }
    callScript(this.#client, this.#script, operations, succeed, fail)
  }

  /** Starts the one deadline timer, which fires when the oldest batch in flight is due. */
  #expireAfter(ms: number): void {
    this.#hasTimer = true
    // When this process was the slow one, the reply lies in the socket by now: it is read before the immediate runs.
    setTimeout(() => setImmediate(this.#expire), ms).unref()
  }

  /** Fails the operations of batches that are past their deadline. */
  readonly #expire = (): void => {
    this.#hasTimer = false
    const now = performance.now()
    for (;;) {
      const [oldest] = this.#inFlight
      if (!oldest) return
      const left = oldest.sentAt + this.#deadlineMs - now
      if (left > 0) {
        this.#expireAfter(Math.ceil(left))
        return
      }
      this.#forget(oldest)
      this.#onTrip?.(now - oldest.sentAt, true)
      oldest.trips = 0
      const late = new Error(`Redis gave no answer within ${this.#deadlineMs} ms`)
      for (const { reject } of oldest.operations) reject(late)
    }
  }

  /** No longer in flight; does nothing for a batch that has already failed by its deadline. */
  #forget(batch: Batch): void {
    const place = this.#inFlight.indexOf(batch)
    if (place >= 0) this.#inFlight.splice(place, 1)
  }
}
