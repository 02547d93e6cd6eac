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
  /** Adds a replica of a node, and resolves when it has the node's data and all nodes know it. */
  addReplica(index: number): Promise<void>
  /** Kills a node as soon as its replica has all that it has. The others consider it failed after a second. */
  killMaster(index: number): Promise<void>
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
    addReplica: async (index) => {
      const replica = await startNode(program)
      servers.use(replica.server)
      await follow(replica, members, index)
    },
    killMaster: async (index) => {
      const clients = nodes.map(({ url }) => new Redis(url))
      await clients[index]?.wait(1, 0)
      await Promise.all(clients.map((client) => client.config('SET', 'cluster-node-timeout', '1000')))
      for (const client of clients) client.disconnect()
      await nodes[index]?.kill()
    },
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
    const server = await startRedisServer(
      ['--cluster-enabled', 'yes', '--cluster-port', String(busPort), '--repl-diskless-sync-delay', '0'],
      program,
    )
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

/** Makes a new node a replica of one of the members. */
async function follow({ server, busPort }: Member, members: readonly Member[], index: number): Promise<void> {
  const replica = new Redis(server.url)
  const clients = members.map((member) => new Redis(member.server.url))
  const deadline = performance.now() + READY_WITHIN_MS
  try {
    for (const client of clients) await client.call('CLUSTER', 'MEET', server.host, server.port, busPort)
    const id = String(await clients[index]?.call('CLUSTER', 'MYID'))
    const isFollowing = async () => {
      // An error until the node has met its master.
      await replica.call('CLUSTER', 'REPLICATE', id).catch(() => {})
      const known = await Promise.all(clients.map((client) => client.call('CLUSTER', 'NODES')))
      const link = await replica.info('replication')
      return known.every((nodes) => String(nodes).includes(`slave ${id}`)) && /^master_link_status:up/m.test(link)
    }
    while (!(await isFollowing())) {
      if (performance.now() > deadline) throw new Error(`the replica was not ready within ${READY_WITHIN_MS} ms`)
      await delay(50)
    }
  } finally {
    for (const client of [replica, ...clients]) client.disconnect()
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
