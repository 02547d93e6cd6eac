import { Cluster, type Redis } from 'ioredis'
import type { Charge, LimitStore } from '../store.ts'
import { connectCluster } from './cluster-client.ts'
import { hashTagOf } from './hash-tag.ts'
import { type LuaScript, loadLimitScript } from './lua-script.ts'
import { PartitionedStore, type Place } from './partitioned-store.ts'
import { connectRedis } from './redis-client.ts'
import { RedisStore } from './redis-store.ts'

export interface StoreOptions {
  /** One node, or several of a Cluster behind commas. */
  readonly redisUrl: string
  /** Counts what each process counts by itself. */
  readonly local: LimitStore
  readonly deadlineMs: number
  /** Only a test hands in one with a clock of its own. */
  readonly script?: LuaScript
}

/** Redis, and this process for what is counted in each by itself. Connects at once, but never rejects or waits for it. */
export function openStore({ redisUrl, local, deadlineMs, script = loadLimitScript() }: StoreOptions): LimitStore {
  const client = connect(redisUrl, deadlineMs)
  const redis = new RedisStore({ client, script, deadlineMs })
  const placeOf = placesOf(local, redis, client instanceof Cluster)
  return new PartitionedStore({ placeOf, deadlineMs, close: () => redis.close() })
}

function connect(redisUrl: string, deadlineMs: number): Redis | Cluster {
  const urls = redisUrl.split(',').map((url) => url.trim())
  const [only = ''] = urls
  return urls.length === 1 ? connectRedis(only, deadlineMs) : connectCluster(urls, deadlineMs)
}

/** Where charges are counted: in this process first, which takes no time; then in Redis. On a Cluster what a hash tag holds
 *  together is one place, and a caller's own come before those that callers share, so that whom a limit of their own
 *  refuses holds nothing that others want, not even for a moment. */
export function placesOf(local: LimitStore, redis: LimitStore, isCluster: boolean): (charge: Charge) => Place {
  const inProcess = { store: local, slot: 'in process', stage: 0 }
  const onlyNode = { store: redis, slot: 'redis', stage: 1 }
  return ({ key, facts: { scope, by } }) => {
    if (scope === 'instance') return inProcess
    if (!isCluster) return onlyNode
    const isOwn = typeof by === 'string' ? by !== 'site' : by.per === 'subject'
    return { store: redis, slot: `redis {${hashTagOf(key)}}`, stage: isOwn ? 1 : 2 }
  }
}
