import { Cluster, Redis, type RedisOptions } from 'ioredis'
import { optionsOf } from './redis-url.ts'

/** Options of ioredis for the limiter. Commands are not queued while there is no connection, because a late decision is
 *  worthless, and are never sent twice, because a repeated script would count twice. `deadlineMs` is how long a
 *  decision may take. */
export function strictOptions(deadlineMs = 0) {
  // A decision has its own deadline (redis-store.ts). These end a connection that hangs, and never before that. Its commands
  // fail with it: `commandTimeout` would do no more, and its timer adds a twentieth to what a bare command takes.
  const hangsAfterMs = Math.max(1_000, deadlineMs)
  return {
    protocol: 2,
    autoResendUnfulfilledCommands: false,
    // A failure that nobody handles would end the process: the subscriber has its own retry.
    autoResubscribe: false,
    maxRetriesPerRequest: 0,
    enableAutoPipelining: false,
    // A script finds out by itself whether the server is ready, and INFO would wait for the server's own estimate.
    enableReadyCheck: false,
    disableClientInfo: true,
    connectTimeout: 2_000,
    sentinelCommandTimeout: hangsAfterMs,
    socketTimeout: hangsAfterMs,
  } as const satisfies RedisOptions
}

/** Milliseconds to wait before the nth attempt to reconnect. */
export function retryDelay(attempt: number): number {
  return Math.min(attempt * 50, 500)
}

/** Opens a connection for the limiter alone; a decision may take `deadlineMs`. */
export function connectRedis(url: string, deadlineMs = 0): Redis {
  const client = createClient(url, {
    ...strictOptions(deadlineMs),
    enableOfflineQueue: false,
    retryStrategy: retryDelay,
    // No subscription to the Sentinels' switch of the master: they close the connections to a master that they demote, and
    // each new connection asks them.
    sentinelRetryStrategy: retryDelay,
  })
  // Without a listener a lost connection would end the process. Commands sent in the meantime get the error.
  client.on('error', () => {})
  return client
}

/** Creates a client of one Redis, by TCP, by a socket, or by the Sentinels that know the master. */
export function createClient(url: string, options: RedisOptions): Redis {
  const own = optionsOf(url)
  return own ? new Redis({ ...own, ...options }) : new Redis(url, options)
}

/** Resolves when the first attempt to connect has succeeded or failed. Operations wait for that, and never again. */
export async function firstConnection(client: Redis | Cluster): Promise<void> {
  await readyOrClosed(client)
  if (client instanceof Cluster) await Promise.all(client.nodes('master').map(readyOrClosed))
}

function readyOrClosed(client: Redis | Cluster): Promise<void> {
  if (client.status === 'ready') return Promise.resolve()
  const { promise, resolve } = Promise.withResolvers<void>()
  client.once('ready', resolve)
  client.once('close', resolve)
  // The only event when no Sentinel answers.
  client.once('error', () => resolve())
  return promise
}

/** What a node says that is a replica: that it takes no writes, or (with replica-serve-stale-data no) nothing at all.
 *  A script repeats it after words of its own. */
const DEMOTED = /\b(?:READONLY|MASTERDOWN) /

/** Reconnects after an error that means that the connection leads to a replica. After a failover behind one address, the
 *  open connection stays on the demoted node for as long as that lives; a new one reaches the master. */
export function leaveReplica(client: Redis | Cluster, error: Error): void {
  if (client.status === 'ready' && DEMOTED.test(error.message)) client.disconnect(true)
}
