import { setTimeout as delay } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { freePort } from './free-port.ts'
import { machineRedis, type RedisProgram } from './redis-programs.ts'
import { EndedAtStart, type RedisServer, startRedisServer } from './redis-server.ts'

/** Three masters with equal shares of the slots, in the order of `nodes`. */
export interface RedisCluster extends AsyncDisposable {
  readonly nodes: readonly Pick<RedisServer, 'host' | 'port' | 'url'>[]
  /** Suspends or resumes a node's process. The others consider it failed after 15 s. */
  freeze(index: number): void
  thaw(index: number): void
}

const SLOTS = 16_384
const MASTERS = 3
// A new node delays its responses for two seconds.
const READY_WITHIN_MS = 60_000

/** Starts a Redis Cluster of the machine's redis-server or another program. Resolves when every node serves requests. */
export async function startRedisCluster(program = machineRedis()): Promise<RedisCluster> {
  await using stack = new AsyncDisposableStack()
  const started = await Promise.allSettled(Array.from({ length: MASTERS }, () => startNode(program)))
  const members = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  for (const { server } of members) stack.use(server)
  const failed = started.find((result) => result.status === 'rejected')
  if (failed) throw failed.reason
  await join(members)
  const nodes = members.map(({ server }) => server)
  const servers = stack.move()
  return {
    nodes,
    freeze: (index) => nodes[index]?.freeze(),
    thaw: (index) => nodes[index]?.thaw(),
    [Symbol.asyncDispose]: () => servers.disposeAsync(),
  }
}

interface Member {
  readonly server: RedisServer
  /** The ports of the cluster bus. */
  readonly busPort: number
}

async function startNode(program: RedisProgram, isSecondTry = false): Promise<Member> {
  const busPort = await freePort()
  try {
    const server = await startRedisServer(['--cluster-enabled', 'yes', '--cluster-port', String(busPort)], program)
    return { server, busPort }
  } catch (error) {
    // Another process may have taken the port in the meantime.
    if (error instanceof EndedAtStart && !isSecondTry) return startNode(program, true)
    throw error
  }
}

async function join(members: readonly Member[]): Promise<void> {
  const clients = members.map(({ server }) => new Redis(server.url))
  try {
    await Promise.all(
      clients.map(async (client, i) => {
        const [first, next] = [i, i + 1].map((index) => Math.ceil((index * SLOTS) / MASTERS))
        await client.call('CLUSTER', 'ADDSLOTSRANGE', Number(first), Number(next) - 1)
        // Distinct epochs, because nodes with equal ones would have to resolve the conflict first.
        await client.call('CLUSTER', 'SET-CONFIG-EPOCH', i + 1)
      }),
    )
    // Introduce every pair, because gossip would take seconds to do so.
    for (const [i, client] of clients.entries()) {
      for (const { server, busPort } of members.slice(i + 1)) {
        await client.call('CLUSTER', 'MEET', server.host, server.port, busPort)
      }
    }
    await untilServing(clients)
  } finally {
    for (const client of clients) client.disconnect()
  }
}

async function untilServing(clients: readonly Redis[]): Promise<void> {
  const deadline = performance.now() + READY_WITHIN_MS
  for (;;) {
    const infos = await Promise.all(clients.map((client) => client.call('CLUSTER', 'INFO')))
    // A node reports ok once it knows the owner of every slot.
    if (infos.every((info) => String(info).includes('cluster_state:ok'))) return
    if (performance.now() > deadline) throw new Error(`the cluster was not ready within ${READY_WITHIN_MS} ms`)
    await delay(20)
  }
}
