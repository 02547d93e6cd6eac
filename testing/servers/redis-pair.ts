import { setTimeout as wait } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts'
import { type RedisServer, startRedisServer } from './redis-server.ts'

/** A Redis and its replica, behind a proxy that leads to the first. */
export interface RedisPair extends AsyncDisposable {
  readonly proxy: FaultProxy
  /** Through the proxy. */
  readonly url: string
  /** Kills the master, promotes its replica, and makes an emptied one of the killed master its replica. */
  failOver(): Promise<void>
  /** Kills the master and starts it without its data. */
  empty(): Promise<void>
}

const FOLLOWS_WITHIN_MS = 60_000

export async function startRedisPair(): Promise<RedisPair> {
  let [master, replica] = [await startRedisServer(), await startRedisServer()]
  await follow(replica, master)
  const proxy = await startFaultProxy(master)
  return {
    proxy,
    url: `redis://${proxy.host}:${proxy.port}`,
    failOver: async () => {
      await master.kill()
      await command(replica, (client) => client.replicaof('NO', 'ONE'))
      proxy.aim(replica)
      ;[master, replica] = [replica, master]
      await replica.restart()
      await follow(replica, master)
    },
    empty: async () => {
      await master.restart()
    },
    [Symbol.asyncDispose]: async () => {
      for (const each of [proxy, replica, master]) await each[Symbol.asyncDispose]()
    },
  }
}

async function follow(replica: RedisServer, master: RedisServer): Promise<void> {
  const deadline = performance.now() + FOLLOWS_WITHIN_MS
  await command(replica, async (client) => {
    await client.replicaof(master.host, master.port)
    while (!/^master_link_status:up/m.test(await client.info('replication'))) {
      if (performance.now() > deadline) throw new Error(`the replica had no data within ${FOLLOWS_WITHIN_MS} ms`)
      await wait(50)
    }
  })
}

async function command({ url }: RedisServer, send: (client: Redis) => Promise<unknown>): Promise<void> {
  const client = new Redis(url)
  try {
    await send(client)
  } finally {
    client.disconnect()
  }
}
