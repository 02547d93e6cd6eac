import { setTimeout as delay } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { freePort } from './free-port.ts'
import { machineRedis, type RedisProgram } from './redis-programs.ts'
import { EndedAtStart, type RedisServer, startRedisServer } from './redis-server.ts'

/** Three masters that share the slots evenly, in the order of `nodes`. */
export interface RedisCluster extends AsyncDisposable {
  readonly nodes: readonly Pick<RedisServer, 'host' | 'port' | 'url'>[]
  /** Stops a node's process dead, or lets it run on. The others take it for failed after 15 s. */
  freeze(index: number): void
  thaw(index: number): void
}

const SLOTS = 16_384
const MASTERS = 3
// A new node holds its answers back for two seconds.
const READY_WITHIN_MS = 20_000

/** Starts a Redis Cluster of the machine's redis-server, or of another program; resolves when every node serves. */
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
  /** Where the nodes talk among themselves. */
  readonly busPort: number
}

async function startNode(program: RedisProgram, isSecondTry = false): Promise<Member> {
  const busPort = await freePort()
  try {
    const server = await startRedisServer(['--cluster-enabled', 'yes', '--cluster-port', String(busPort)], program)
    return { server, busPort }
  } catch (error) {
    // Somebody else may have taken that port meanwhile.
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
        // Each its own, or they would meet with equal ones and settle that first.
        await client.call('CLUSTER', 'SET-CONFIG-EPOCH', i + 1)
      }),
    )
    // Every pair, for gossip would take seconds to introduce the last two.
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
    // It is ok for a node once it knows who has each of the slots.
    if (infos.every((info) => String(info).includes('cluster_state:ok'))) return
    if (performance.now() > deadline) throw new Error(`The cluster did not serve within ${READY_WITHIN_MS} ms`)
    await delay(20)
  }
}
