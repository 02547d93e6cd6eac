import { setTimeout as delay } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import { urlsOfNodes } from '../../fleet/redis-link.ts'
import { anyWorking, askServer } from './ask-server.ts'
import { findMaster } from './find-master.ts'
import { addressOfMaster, addressOfRedis, type RedisAddress } from './redis-address.ts'
import { RedisProblem, replicaProblem } from './redis-problem.ts'
import { isNodeUrl, parseSentinelUrl } from './redis-url.ts'

export interface RedisPatience {
  /** How long to wait for what may pass. */
  readonly patienceMs?: number
  /** Called once, with what is waited for. */
  readonly onWait?: (message: string) => void
}

const RETRY_MS = 500

/** Checks at start that what `redisUrl` names can be the limiter's store, and returns whether that is a Cluster. Waits for half a
 *  minute for what may pass: a Redis that starts or loads its data, a failover, or a name that is not known yet. Throws
 *  RedisProblem, whose message says what to change. */
export async function checkRedis(
  redisUrl: string,
  { patienceMs = 30_000, onWait }: RedisPatience = {},
): Promise<{ readonly isCluster: boolean }> {
  const end = performance.now() + patienceMs
  for (let isFirst = true; ; isFirst = false) {
    try {
      return { isCluster: await checkOnce(redisUrl) }
    } catch (error) {
      if (!(error instanceof RedisProblem && error.mayPass) || performance.now() >= end) throw error
      if (isFirst) onWait?.(error.message)
    }
    await delay(RETRY_MS)
  }
}

async function checkOnce(redisUrl: string): Promise<boolean> {
  const addresses = await findAddresses(redisUrl)
  if (!isNodeUrl(redisUrl)) return anyWorking(addresses.map((address) => checkNode(address, 'server')))
  const wanted = addresses.length > 1 ? 'nodes' : 'server or node'
  return anyWorking(addresses.map((address) => checkNode(address, wanted)))
}

/** Returns the addresses that `redisUrl` names, or the one that its Sentinels do. Throws RedisProblem. */
export async function findAddresses(redisUrl: string): Promise<readonly RedisAddress[]> {
  if (isNodeUrl(redisUrl)) return urlsOfNodes(redisUrl).map(addressOfRedis)
  const sentinels = parseSentinelUrl(redisUrl)
  return [sentinels ? addressOfMaster(sentinels, await findMaster(sentinels)) : addressOfRedis(redisUrl)]
}

/** Whether the address may be, or has to be, a node of a Cluster. */
type Wanted = 'server' | 'server or node' | 'nodes'

/** Returns whether the node is one of a Cluster. */
async function checkNode(address: RedisAddress, wanted: Wanted): Promise<boolean> {
  const mode = await askServer(address, async (client) => {
    const facts = await readFacts(client)
    checkFacts(address, facts, wanted)
    await checkWrite(client)
    return facts.mode
  })
  return mode === 'cluster'
}

interface NodeFacts {
  readonly mode: string | undefined
  readonly isReplica: boolean
}

/** A user may have no right to INFO: then what comes after has to do. */
async function readFacts(client: Redis): Promise<NodeFacts> {
  const info = await client.info().catch((error: Error) => {
    if (error.message.startsWith('NOPERM')) return ''
    throw error
  })
  return { mode: /^redis_mode:(\w+)/m.exec(info)?.[1], isReplica: /^role:slave/m.test(info) }
}

function checkFacts(address: RedisAddress, { mode, isReplica }: NodeFacts, wanted: Wanted): void {
  const { name } = address
  if (mode === 'sentinel')
    throw new RedisProblem(
      `${name} is a Sentinel, which stores nothing. Use redis+sentinel://${name}/ and the name of its master.`,
    )
  if (mode === 'cluster' && wanted === 'server')
    throw new RedisProblem(`${name} is a node of a Cluster. Use the addresses of its nodes: redis://host,redis://host.`)
  // In a Cluster a replica redirects to its master.
  if (mode === 'cluster') return
  if (wanted === 'nodes' && mode !== undefined)
    throw new RedisProblem(
      `several addresses are nodes of one Cluster, but ${name} is no node of any. Keep one address.`,
    )
  if (isReplica) throw replicaProblem(address)
}

/** Runs a script that writes, without effect: what the limiter does at every decision. */
async function checkWrite(client: Redis): Promise<void> {
  await client.eval("return redis.call('DEL', KEYS[1])", 1, 'RATE:LIMIT:{probe}:check')
}
