import { anyWorking, askServer } from './ask-server.ts'
import { checkRedis, findAddresses } from './check-redis.ts'

/** What a server says of itself; null where its user may not know. */
export interface RedisFacts {
  readonly version: string | null
  /** Milliseconds by which its clock is ahead of this machine's. */
  readonly aheadMs: number
  /** Bytes; 0 for no limit. */
  readonly maxMemory: number
  /** What it does at that limit. */
  readonly evictionPolicy: string | null
}

/** Asks the server that `redisUrl` names, or a node of the Cluster. Throws RedisProblem if the limiter cannot use it. */
export async function inspectRedis(redisUrl: string): Promise<RedisFacts> {
  await checkRedis(redisUrl, { patienceMs: 0 })
  const addresses = await findAddresses(redisUrl)
  const facts = await anyWorking(
    addresses.map((address) =>
      askServer(address, async (client): Promise<RedisFacts> => {
        const info = await client.info().catch(() => '')
        const field = (name: string) => new RegExp(`^${name}:([^\\r\\n]+)`, 'm').exec(info)?.[1] ?? null
        const askedAt = Date.now()
        const [seconds = 0, micros = 0] = (await client.time()).map(Number)
        const middle = (askedAt + Date.now()) / 2
        return {
          version: field('valkey_version') ?? field('redis_version'),
          aheadMs: seconds * 1_000 + micros / 1_000 - middle,
          maxMemory: Number(field('maxmemory') ?? 0),
          evictionPolicy: field('maxmemory_policy'),
        }
      }),
    ),
  )
  return facts === 'cluster' ? { version: null, aheadMs: 0, maxMemory: 0, evictionPolicy: null } : facts
}
