import { setTimeout as wait } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { type FaultProxy, startFaultProxy } from '../servers/fault-proxy.ts'
import { type RedisServer, startRedisServer } from '../servers/redis-server.ts'

/** A Redis behind a proxy, with an admin connection that bypasses the proxy. */
export interface FaultyRedis extends AsyncDisposable {
  readonly redis: RedisServer
  readonly proxy: FaultProxy
  readonly admin: Redis
  /** The address for limiters. */
  readonly url: string
}

/** A fault of Redis, or between it and the limiter. */
export interface RedisFault {
  readonly name: string
  /** The reason that the limiter reports. */
  readonly cause: RegExp
  /** Whether new connections hang as well. */
  readonly hangs?: boolean
  /** Whether Redis loses its counts. */
  readonly forgets?: boolean
  begin(scene: FaultyRedis): unknown
  end(scene: FaultyRedis): unknown
}

const LATE = /^Redis gave no answer within 100 ms$/
const LOST = /^There is no connection to Redis$/

/** Keys that take about ten seconds to load, like a large dump; Redis responds after about every fiftieth. */
const SLOW_TO_LOAD = { keys: 40_000, delayUs: 300 }

/** A Redis that can be made to load its data slowly. */
export async function startFaultyRedis(): Promise<FaultyRedis> {
  await using started = new AsyncDisposableStack()
  const redis = started.use(
    await startRedisServer([
      ...['--enable-debug-command', 'yes', '--enable-protected-configs', 'yes'],
      ...['--loading-process-events-interval-bytes', '1024'],
    ]),
  )
  const proxy = started.use(await startFaultProxy(redis))
  const admin = new Redis(redis.url)
  admin.on('error', () => {})
  started.defer(() => admin.disconnect())
  const running = started.move()
  return {
    redis,
    proxy,
    admin,
    url: `redis://${proxy.host}:${proxy.port}`,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

export const redisFaults: readonly RedisFault[] = [
  {
    name: 'connection refused',
    cause: LOST,
    begin: ({ proxy }) => proxy.set('refuse'),
    end: ({ proxy }) => proxy.set('pass'),
  },
  {
    name: 'connection reset',
    cause: LOST,
    begin: ({ proxy }) => proxy.set('reset'),
    end: ({ proxy }) => proxy.set('pass'),
  },
  {
    name: 'black hole',
    cause: LATE,
    hangs: true,
    begin: ({ proxy }) => proxy.set('blackhole'),
    end: ({ proxy }) => proxy.set('pass'),
  },
  {
    name: 'latency of 5 s',
    cause: LATE,
    hangs: true,
    begin: ({ proxy }) => proxy.set(5_000),
    end: ({ proxy }) => proxy.set('pass'),
  },
  {
    name: 'SIGSTOP',
    cause: LATE,
    hangs: true,
    begin: ({ redis }) => redis.freeze(),
    end: ({ redis }) => redis.thaw(),
  },
  {
    name: 'CLIENT PAUSE',
    cause: LATE,
    begin: ({ admin }) => admin.client('PAUSE', 60_000, 'WRITE'),
    end: ({ admin }) => admin.client('UNPAUSE'),
  },
  {
    name: 'out of memory, noeviction',
    cause: /OOM command not allowed/,
    begin: ({ admin }) => admin.config('SET', 'maxmemory', '1'),
    end: ({ admin }) => admin.config('SET', 'maxmemory', '0'),
  },
  {
    name: 'READONLY, as after a failover',
    cause: /READONLY/,
    // A replica of an unreachable master keeps its data.
    begin: ({ admin }) => admin.replicaof('127.0.0.1', 1),
    end: ({ admin }) => admin.replicaof('NO', 'ONE'),
  },
  { name: 'LOADING', cause: /^LOADING /, begin: beginLoading, end: endLoading },
  {
    name: 'kill -9, and a new one',
    cause: LOST,
    forgets: true,
    begin: ({ redis }) => redis.kill(),
    end: ({ redis }) => redis.restart(),
  },
]

/** Resolves when Redis says LOADING. */
async function beginLoading({ admin, redis }: FaultyRedis): Promise<void> {
  const { keys, delayUs } = SLOW_TO_LOAD
  // A restarted server should not load this.
  await admin.config('SET', 'dbfilename', 'reloaded.rdb')
  await admin.call('DEBUG', 'POPULATE', keys, 'ballast', 100)
  await admin.config('SET', 'key-load-delay', delayUs)
  const reloading = new Redis(redis.url)
  reloading.on('error', () => {})
  const reloaded = reloading.call('DEBUG', 'RELOAD').catch(() => {})
  void reloaded.then(() => reloading.disconnect())
  while (!(await isLoading(admin))) await wait(5)
}

async function endLoading({ admin }: FaultyRedis): Promise<void> {
  await admin.config('SET', 'key-load-delay', '0')
  while (await isLoading(admin)) await wait(5)
}

async function isLoading(admin: Redis): Promise<boolean> {
  return /^loading:1/m.test(await admin.info('persistence'))
}
