import { Cluster, type Redis } from 'ioredis'
import { type BlockedKey, type BlockList, blockList } from '../../block-list.ts'
import { firstConnection } from './redis-client.ts'

/** Keys that Redis looks at in one step: less than a millisecond of its time. */
const STEP = 1_000

/** When the search stops with what it has found, in milliseconds. */
const PATIENCE_MS = 5_000

const SUFFIX = ':block'

/** Finds the blocks in Redis, on a Cluster in every master. Walks through all keys step by step, so that no decision waits for it.
 *  Rejects when Redis fails. */
export async function scanBlocks(client: Redis | Cluster): Promise<BlockList> {
  const giveUpAt = performance.now() + PATIENCE_MS
  await firstConnection(client)
  const nodes = client instanceof Cluster ? client.nodes('master') : [client]
  const found = await Promise.all(nodes.map((node) => scanNode(node, giveUpAt)))
  return blockList(
    found.flatMap(({ blocked }) => blocked),
    found.every(({ isWhole }) => isWhole),
  )
}

async function scanNode(node: Redis, giveUpAt: number): Promise<BlockList> {
  const prefix = node.options.keyPrefix ?? ''
  const keys = new Set<string>()
  let cursor = '0'
  do {
    const [next, some] = await node.scan(cursor, 'MATCH', `${prefix}RATE:LIMIT:*${SUFFIX}`, 'COUNT', STEP)
    for (const key of some) keys.add(key.slice(prefix.length))
    cursor = next
  } while (cursor !== '0' && performance.now() < giveUpAt)
  const [seconds, microseconds] = await node.time()
  const now = Number(seconds) * 1_000 + Math.floor(Number(microseconds) / 1_000)
  const blocked = await Promise.all([...keys].map((key) => readBlocks(node, key, now)))
  return { blocked, isWhole: cursor === '0' }
}

/** Reads the instants at which the blocks of a key end (lua/blocks.lua). None for a key that has expired since. */
async function readBlocks(node: Redis, key: string, now: number): Promise<BlockedKey> {
  const packed = await node.getBuffer(key)
  const count = Math.floor((packed?.length ?? 0) / 8)
  const leftMs = Array.from({ length: count }, (_, at) => Math.max(0, (packed?.readDoubleLE(8 * at) ?? 0) - now))
  return { key: key.slice(0, -SUFFIX.length), leftMs }
}
