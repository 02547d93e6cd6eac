import { randomUUID } from 'node:crypto'
import { loadLimitScript } from '#server/limits/lua-script.ts'
import { MemoryStore } from '#server/limits/memory-store.ts'
import { connectRedis } from '#server/limits/redis-client.ts'
import { RedisStore } from '#server/limits/redis-store.ts'
import type { Charge, RuleAnswer } from '#server/limits/store.ts'

/** One call at a time that the test chooses. */
export interface Step {
  readonly at: number
  readonly charges: readonly Charge[]
}

/** A store whose time is the test's. Keys are its own, so that several share a server. */
export interface StoreHarness extends AsyncDisposable {
  /** Makes the calls in order; gives the answers to each. */
  play(steps: readonly Step[]): Promise<readonly (readonly RuleAnswer[])[]>
}

export async function memoryHarness(): Promise<StoreHarness> {
  let now = 0
  const store = new MemoryStore({ now: () => now }, 0)
  return {
    play: async (steps) => {
      const answers: (readonly RuleAnswer[])[] = []
      for (const step of steps) {
        now = step.at
        answers.push(await store.take(step.charges))
      }
      return answers
    },
    [Symbol.asyncDispose]: () => store.close(),
  }
}

/** Redis with a build of the script that takes its times, one a call, from a list. */
export async function redisHarness(url: string): Promise<StoreHarness> {
  const prefix = randomUUID()
  const client = connectRedis(url)
  const script = loadLimitScript(`return tonumber(redis.call('LPOP', '${prefix}'))`)
  const store = new RedisStore({ client, script, deadlineMs: 30_000 })
  await store.take([])
  const own = (charge: Charge): Charge => ({ ...charge, key: `${prefix}:${charge.key}` })
  return {
    play: async (steps) => {
      await client.rpush(prefix, ...steps.map((step) => step.at))
      return Promise.all(steps.map((step) => store.take(step.charges.map(own))))
    },
    [Symbol.asyncDispose]: () => store.close(),
  }
}
