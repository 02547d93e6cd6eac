import type { Redis } from 'ioredis'
import type { LuaScript } from './lua-script.ts'
import type { Charge, LimitStore, RuleAnswer } from './store.ts'

export interface RedisStoreOptions {
  readonly client: Redis
  readonly script: LuaScript
  /** A decision that takes longer than this rejects. Redis may still charge it: that errs on the side of the limit. */
  readonly deadlineMs: number
}

/** Counts in Redis, in one script and one round trip a call. */
export class RedisStore implements LimitStore {
  readonly #client: Redis
  readonly #script: LuaScript
  readonly #deadlineMs: number
  readonly #connected: Promise<void>

  constructor({ client, script, deadlineMs }: RedisStoreOptions) {
    this.#client = client
    this.#script = script
    this.#deadlineMs = deadlineMs
    this.#connected = firstConnection(client)
  }

  take(charges: readonly Charge[]): Promise<readonly RuleAnswer[]> {
    return within(this.#deadlineMs, this.#run(charges))
  }

  async close(): Promise<void> {
    this.#client.disconnect()
  }

  async #run(charges: readonly Charge[]): Promise<readonly RuleAnswer[]> {
    await this.#connected
    const keys = charges.map((charge) => charge.key)
    const args = [...keys, ...charges.flatMap(argumentsOf)]
    return parseReply(await this.#evaluate(keys.length, args), charges)
  }

  /** A restart or a failover forgets scripts. Only that is tried again, for any other error may come after the charge. */
  async #evaluate(keyCount: number, args: readonly (string | number)[]): Promise<unknown> {
    try {
      return await this.#client.evalsha(this.#script.sha, keyCount, ...args)
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error
      return await this.#client.eval(this.#script.text, keyCount, ...args)
    }
  }
}

function argumentsOf({ algorithm, cost, rules }: Charge): (string | number)[] {
  return [algorithm, cost, rules.length, ...rules.flatMap(({ limit, windowMs }) => [limit, windowMs])]
}

function parseReply(reply: unknown, charges: readonly Charge[]): readonly RuleAnswer[] {
  const expected = 3 * charges.reduce((sum, charge) => sum + charge.rules.length, 0)
  if (!Array.isArray(reply) || reply.length !== expected) throw new Error('Redis gave a reply of another form')
  const numbers = reply.map(wholeNumber)
  return Array.from({ length: expected / 3 }, (_, rule) => {
    const [remaining = 0, resetMs = 0, waitMs = 0] = numbers.slice(rule * 3)
    return { remaining, resetMs, waitMs }
  })
}

function wholeNumber(value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
    throw new Error('Redis gave a reply that is no whole number')
  }
  return value
}

/** Decisions of the first moment wait for the connection; once there was one, or none could be had, they do not. */
function firstConnection(client: Redis): Promise<void> {
  if (client.status === 'ready') return Promise.resolve()
  const { promise, resolve } = Promise.withResolvers<void>()
  client.once('ready', resolve)
  client.once('close', resolve)
  return promise
}

function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const late = () => reject(new Error(`Redis gave no answer within ${ms} ms`))
  // When this process was the slow one, the answer lies in the socket by now: it is read before the immediate runs.
  const timer = setTimeout(() => setImmediate(late), ms)
  work.then(resolve, reject).finally(() => clearTimeout(timer))
  return promise
}
