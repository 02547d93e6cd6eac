import { Cluster, type Redis } from 'ioredis'
import type { BlockList } from '../block-list.ts'
import type { Clock } from '../clock.ts'
import { urlsOfNodes } from '../fleet/redis-link.ts'
import type { Charge, LimitStore } from '../store.ts'
import { hashTagOf } from './hash-tag.ts'
import type { Partition } from './partitioned-operation.ts'
import { PartitionedStore } from './partitioned-store.ts'
import { connectCluster } from './redis/cluster-client.ts'
import { type LuaScript, loadLimitScript } from './redis/lua-script.ts'
import { connectRedis } from './redis/redis-client.ts'
import { RedisStore, type RedisStoreOptions } from './redis/redis-store.ts'
import { scanBlocks } from './redis/scan-blocks.ts'

export interface StoreOptions {
  /** The URL of one Redis or of Sentinels, or those of several nodes of a Cluster, separated by commas. */
  readonly redisUrl: string
  /** Whether one URL is that of a Cluster; several always are. */
  readonly isCluster?: boolean
  /** Counts the charges of scope 'instance'. */
  readonly local: LimitStore
  /** Milliseconds after which an operation rejects. */
  readonly deadlineMs: number
  /** This process's clock, for receipts. */
  readonly clock?: Clock
  /** Called with charges that a refused call held briefly on a Cluster, once they are refunded. */
  readonly onGivenBack?: (charges: readonly Charge[]) => void
  /** Called with the milliseconds of each round trip, and whether it failed. */
  readonly onTrip?: RedisStoreOptions['onTrip']
  /** Only tests pass one, with a clock of their own. */
  readonly script?: LuaScript
}

/** A store that can list the blocks in Redis. */
export interface OpenedStore extends LimitStore {
  /** Rejects when Redis fails. */
  blocks(): Promise<BlockList>
}

/** A store that counts in Redis, and charges of scope 'instance' in this process. Starts to connect, and neither waits
 *  for the connection nor throws without one. */
export function openStore({
  redisUrl,
  isCluster,
  local,
  script = loadLimitScript(),
  ...options
}: StoreOptions): OpenedStore {
  const urls = urlsOfNodes(redisUrl)
  const client = connect(urls, isCluster ?? urls.length > 1, options.deadlineMs)
  const redis = new RedisStore({ client, script, ...options })
  const partitionOf = partitionsOver(local, redis, client instanceof Cluster)
  const store = new PartitionedStore({ partitionOf, ...options, close: () => redis.close() })
  return {
    apply: (operation) => store.apply(operation),
    blocks: () => scanBlocks(client),
    close: () => store.close(),
  }
}

function connect(urls: readonly string[], isCluster: boolean, deadlineMs: number): Redis | Cluster {
  const [only = ''] = urls
  return isCluster ? connectCluster(urls, deadlineMs) : connectRedis(only, deadlineMs)
}

/** Where charges are counted: first those of this process, which takes no time, then those of Redis. On a Cluster each
 *  hash tag is a partition of its own, and a caller's own keys come before those that callers share: a caller whom their
 *  own limit refuses then takes nothing of a shared one, not even for a moment. */
export function partitionsOver(
  local: LimitStore,
  redis: LimitStore,
  isCluster: boolean,
): (charge: Charge) => Partition {
  const inProcess = { store: local, slot: 'in process', stage: 0 }
  const onlyNode = { store: redis, slot: 'redis', stage: 1 }
  return ({ key, facts: { scope, by } }) => {
    if (scope === 'instance') return inProcess
    if (!isCluster) return onlyNode
    const isOwn = typeof by === 'string' ? by !== 'site' : by.per === 'subject'
    return { store: redis, slot: `redis {${hashTagOf(key)}}`, stage: isOwn ? 1 : 2 }
  }
}
