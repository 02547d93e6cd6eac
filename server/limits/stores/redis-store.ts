import { Cluster, type Redis } from 'ioredis'
import type { LimitStore, Operation, Outcome, OutcomeHandlers } from '../store.ts'
import { RETURN_OUTCOME } from './apply-then.ts'
import { keysOf, tripArguments } from './arguments.ts'
import { byHashTag } from './hash-tag.ts'
import type { LuaScript } from './lua-script.ts'
import { type PendingOperation, settled } from './pending-operation.ts'
import { readReply } from './reply.ts'
import { tripsOf } from './trips.ts'

export interface RedisStoreOptions {
  /** On a Cluster the keys of one operation have one hash tag. */
  readonly client: Redis | Cluster
  readonly script: LuaScript
  /** An operation that takes longer than this rejects. Redis may still do it: that errs on the side of the limit. */
  readonly deadlineMs: number
  /** Operations of one trip at most; 64 by default, and never more than 94 (arguments.ts). */
  readonly tripSize?: number
}

/** The operations that were sent together. */
interface Batch {
  readonly operations: readonly PendingOperation[]
  /** In milliseconds of performance.now(). */
  readonly sentAt: number
  /** How many trips have no reply yet. */
  trips: number
}

const TRIP_SIZE = 64

/** The store in Redis. All operations of one turn of the event loop are a batch. A batch is sent as one trip, which is
 *  one EVALSHA and its reply (on a Cluster, and for large batches, as several). Redis performs the operations of a trip
 *  in order, each by itself. */
export class RedisStore implements LimitStore {
  readonly #client: Redis | Cluster
  readonly #script: LuaScript
  readonly #deadlineMs: number
  readonly #tripSize: number
  readonly #connected: Promise<void>
  #isConnected = false
  /** The operations of the next batch. */
  #queue: PendingOperation[] = []
  /** Whether the last batch had more than one operation. */
  #wasShared = false
  /** In the order in which they were sent, which is mostly that of their replies. No Set: one that is always added to
   *  and taken from gets ever new tables, V8 keeps each for as long as the one before it, and with it all that it held.
   *  Once one of them was old, a tenth of what decisions leave behind got old with it. */
  readonly #inFlight: Batch[] = []
  #hasTimer = false

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
    return this.applyThen(operation, RETURN_OUTCOME)
  }

  applyThen<T>(operation: Operation, handlers: OutcomeHandlers<T>): Promise<T> {
    return settled(operation, handlers, this.#enqueue)
  }

  async close(): Promise<void> {
    this.#client.disconnect()
  }

  readonly #enqueue = (pending: PendingOperation): void => {
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
    const { operations } = batch
    const groups = this.#client instanceof Cluster ? byHashTag(operations) : [operations]
    const trips = groups.flatMap((group) => tripsOf(group, this.#tripSize))
    batch.trips = trips.length
    for (const trip of trips) this.#sendTrip(trip, batch)
  }

  /** With callbacks: the promises of async functions would make a decision that is sent alone a twentieth slower. */
  #sendTrip(trip: readonly PendingOperation[], batch: Batch): void {
    const operations = trip.map(({ operation }) => operation)
    const settle = (outcomes: readonly (Outcome | Error)[]) => {
      batch.trips -= 1
      if (batch.trips === 0) this.#forget(batch)
      let next = 0
      for (const pending of trip) {
        const outcome = outcomes[next]
        next += 1
        if (outcome) pending.settle(outcome)
      }
    }
    const fail = (error: unknown) => settle(operations.map(() => errorOf(error)))
    const succeed = (reply: unknown) => {
      try {
        settle(readReply(reply, operations))
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

  /** Calls the script. A restart or a failover of Redis forgets scripts, so NOSCRIPT is retried with the text. Nothing
   *  else is retried, because any other error may come after the charge was counted. */
  #evaluate(operations: readonly Operation[], done: (reply: unknown) => void, failed: (error: unknown) => void): void {
    const keys = keysOf(operations)
    const args = [this.#script.sha, keys.length, ...keys, ...tripArguments(operations)]
    this.#client.callBuffer('evalsha', args).then(done, (error: unknown) => {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) failed(error)
      else this.#client.callBuffer('eval', args.with(0, this.#script.text)).then(done, failed)
    })
  }

  /** Starts the one deadline timer, which fires when the oldest batch in flight is due. */
  #expireAfter(ms: number): void {
    this.#hasTimer = true
    // When this process was the slow one, the reply lies in the socket by now: it is read before the immediate runs.
    setTimeout(() => setImmediate(this.#expire), ms).unref()
  }

  /** Fails the operations of the batches whose deadline has passed. */
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
      const late = new Error(`Redis gave no answer within ${this.#deadlineMs} ms`)
      for (const pending of oldest.operations) pending.settle(late)
    }
  }

  /** No longer in flight; does nothing for a batch that has already failed by its deadline. */
  #forget(batch: Batch): void {
    const place = this.#inFlight.indexOf(batch)
    if (place >= 0) this.#inFlight.splice(place, 1)
  }
}

/** What the client says of a connection that broke, or is not there: it speaks of its own options. */
const LOST = /^(?:Reached the max retries per request limit|Stream isn't writeable|Connection is closed)/

function errorOf(reason: unknown): Error {
  const error = reason instanceof Error ? reason : new Error(String(reason))
  return LOST.test(error.message) ? new Error('There is no connection to Redis', { cause: error }) : error
}

/** Resolves when the first attempt to connect has ended, well or not: operations are held back until then, and never
 *  again. */
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
