import { setTimeout as delay } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { urlsOfNodes } from '../../fleet/redis-link.ts'
import { greet } from './greet.ts'
import { strictOptions } from './redis-client.ts'
import { answerProblem, connectionProblem, RedisProblem } from './redis-problem.ts'

export interface RedisPatience {
  /** How long to wait for what may pass. */
  readonly patienceMs?: number
  /** Called once, with what is waited for. */
  readonly onWait?: (message: string) => void
}

const RETRY_MS = 500
const ANSWER_MS = 2_000

/** Checks at start that the nodes of `redisUrl` can be the limiter's store, and returns whether they are of a Cluster.
 *  Waits for half a minute for what may pass: a Redis that starts or loads its data, or a name that is not known yet.
 *  Throws RedisProblem, whose message says what to change. */
export async function checkRedis(
  redisUrl: string,
  { patienceMs = 30_000, onWait }: RedisPatience = {},
): Promise<{ readonly isCluster: boolean }> {
  const end = performance.now() + patienceMs
  for (let isFirst = true; ; isFirst = false) {
    try {
      return { isCluster: await checkNodes(urlsOfNodes(redisUrl)) }
    } catch (error) {
      if (!(error instanceof RedisProblem && error.mayPass) || performance.now() >= end) throw error
      if (isFirst) onWait?.(error.message)
    }
    await delay(RETRY_MS)
  }
}

/** One node of a Cluster that answers is enough, unless another has a problem that does not pass. */
async function checkNodes(urls: readonly string[]): Promise<boolean> {
  const results = await Promise.allSettled(urls.map((url) => checkNode(new URL(url), urls.length > 1)))
  const problems = results.flatMap((result): unknown[] => (result.status === 'rejected' ? [result.reason] : []))
  const lasting = problems.find((problem) => !(problem instanceof RedisProblem && problem.mayPass))
  const working = results.find((result) => result.status === 'fulfilled')
  if (lasting !== undefined || !working) throw lasting ?? problems[0]
  return working.value
}

/** Returns whether the node is one of a Cluster. */
async function checkNode(url: URL, isOneOfSeveral: boolean): Promise<boolean> {
  await greet(url)
  const client = new Redis(url.href, { ...strictOptions(ANSWER_MS), lazyConnect: true, retryStrategy: () => null })
  // Of a connection that is lost at once, only this event has the cause.
  const errors: Error[] = []
  client.on('error', (error) => errors.push(error))
  try {
    await client.connect()
    if (errors[0]) throw errors[0]
    const facts = await readFacts(client)
    checkFacts(url, facts, isOneOfSeveral)
    await checkWrite(client)
    return facts.mode === 'cluster'
  } catch (error) {
    if (error instanceof RedisProblem) throw error
    const cause = errors[0] ?? (error instanceof Error ? error : new Error(String(error)))
    const problem = 'command' in cause ? answerProblem(url, cause) : connectionProblem(url, cause)
    if (problem) throw problem
    return true
  } finally {
    client.disconnect()
  }
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

function checkFacts({ host }: URL, { mode, isReplica }: NodeFacts, isOneOfSeveral: boolean): void {
  if (mode === 'sentinel')
    throw new RedisProblem(`${host} is a Sentinel, which stores nothing. Use the address of its master.`)
  // In a Cluster a replica redirects to its master.
  if (mode === 'cluster') return
  if (isOneOfSeveral && mode !== undefined)
    throw new RedisProblem(
      `several addresses are nodes of one Cluster, but ${host} is no node of any. Keep one address.`,
    )
  if (isReplica) throw new RedisProblem(`${host} is a replica. Use the address of its master.`)
}

/** Runs a script that writes, without effect: what the limiter does at every decision. */
async function checkWrite(client: Redis): Promise<void> {
  await client.eval("return redis.call('DEL', KEYS[1])", 1, 'RATE:LIMIT:{probe}:check')
}
