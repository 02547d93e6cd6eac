import { randomUUID } from 'node:crypto'
import { Cluster } from 'ioredis'
import type { Charge, Receipt } from '#server/limits/store.ts'
import { hashTagOf } from '#server/limits/stores/hash-tag.ts'
import { MemoryStore } from '#server/limits/stores/memory/memory-store.ts'
import { openStore } from '#server/limits/stores/open-store.ts'
import { loadLimitScript } from '#server/limits/stores/redis/lua-script.ts'
import { playAnswers, type Step, type StoreHarness, toOperation } from './harness.ts'

/** A Redis Cluster on which each key has its own hash tag, so that the keys of one call are in different slots. The script is built
 *  to read its time from a key with the same hash tag. */
export async function clusterHarness(redisUrl: string): Promise<StoreHarness> {
  const prefix = randomUUID()
  const script = loadLimitScript(
    `return tonumber(redis.call('GET', '${prefix}:now:' .. string.match(KEYS[1], '{.-}')))`,
  )
  const clocks = new Cluster(redisUrl.split(','))
  const local = new MemoryStore({ now: () => 0 })
  const store = openStore({ redisUrl, local, deadlineMs: 30_000, script })
  const own = (charge: Charge): Charge => ({ ...charge, key: `${prefix}:{${prefix}:${charge.key}}` })
  // Sequential, because the number of script calls of a step depends on its decision.
  const receipts = async (steps: readonly Step[]) => {
    const all: Receipt[] = []
    for (const step of steps) {
      const operation = toOperation(step)
      const charges = operation.charges.map(own)
      await Promise.all(charges.map(({ key }) => clocks.set(`${prefix}:now:{${hashTagOf(key)}}`, step.at)))
      all.push(await store.apply({ ...operation, charges }))
    }
    return all
  }
  return {
    receipts,
    play: playAnswers(receipts),
    [Symbol.asyncDispose]: async () => {
      clocks.disconnect()
      await store.close()
    },
  }
}
