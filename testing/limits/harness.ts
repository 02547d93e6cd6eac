import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { Redis } from 'ioredis'
import type { Charge, Operation, Receipt, RuleAnswer } from '#server/limits/store.ts'
import { MemoryStore } from '#server/limits/stores/memory/memory-store.ts'
import { loadLimitScript } from '#server/limits/stores/redis/lua-script.ts'
import { strictOptions } from '#server/limits/stores/redis/redis-client.ts'
import { RedisStore } from '#server/limits/stores/redis/redis-store.ts'
import { answersIn } from './receipts.ts'

/** An operation at a time chosen by the test; bare charges are takes. */
export type Step = { readonly at: number } & (
  | { readonly charges: readonly Charge[] }
  | { readonly operation: Operation }
)

export function toOperation(step: Step): Operation {
  return 'operation' in step ? step.operation : { type: 'take', charges: step.charges }
}

/** A store whose time the test sets. Its keys are unique, so that several stores can share a server. */
export interface StoreHarness extends AsyncDisposable {
  /** Performs the steps in order, and returns the answers to each. */
  play(steps: readonly Step[]): Promise<readonly (readonly RuleAnswer[])[]>
  /** The same, returning the store's receipts. */
  receipts(steps: readonly Step[]): Promise<readonly Receipt[]>
}

export async function memoryHarness(): Promise<StoreHarness> {
  let now = 0
  const store = new MemoryStore({ now: () => now }, { sweptPerCharge: 0 })
  const receipts = async (steps: readonly Step[]) =>
    steps.map((step) => {
      now = step.at
      return store.apply(toOperation(step))
    })
  return { receipts, play: playAnswers(receipts), [Symbol.asyncDispose]: () => store.close() }
}

export interface RedisHarness extends StoreHarness {
  /** Its keys without an expiry. */
  keysWithoutExpiry(): Promise<readonly string[]>
}

const PATIENCE_MS = 30_000

/** Redis with a build of the script that reads its times from a list, one per call. */
export async function redisHarness(url: string): Promise<RedisHarness> {
  const prefix = randomUUID()
  // Thousands of commands are sent at once, so a slow machine needs a long deadline.
  const client = new Redis(url, strictOptions(PATIENCE_MS))
  await once(client, 'ready')
  const script = loadLimitScript(`return tonumber(redis.call('LPOP', '${prefix}'))`)
  const store = new RedisStore({ client, script, deadlineMs: PATIENCE_MS, tripSize: 1 })
  const own = (charge: Charge): Charge => ({ ...charge, key: `${prefix}:${charge.key}` })
  const receipts = async (steps: readonly Step[]) => {
    await client.rpush(prefix, ...steps.map((step) => step.at))
    return Promise.all(
      steps.map(toOperation).map((operation) => store.apply({ ...operation, charges: operation.charges.map(own) })),
    )
  }
  const keysWithoutExpiry = async () => {
    const found: string[] = []
    let cursor = '0'
    do {
      const [next, keys] = await client.scan(cursor, 'MATCH', `${prefix}:*`, 'COUNT', 1_000)
      const lives = await Promise.all(keys.map((key) => client.pttl(key)))
      found.push(...keys.filter((_, index) => lives[index] === -1))
      cursor = next
    } while (cursor !== '0')
    return found
  }
  return { receipts, play: playAnswers(receipts), keysWithoutExpiry, [Symbol.asyncDispose]: () => store.close() }
}

/** Plays steps, and returns the answers of all rules of each, in order. */
export function playAnswers(receipts: StoreHarness['receipts']): StoreHarness['play'] {
  return async (steps) => (await receipts(steps)).map(answersIn)
}
