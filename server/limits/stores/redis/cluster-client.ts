import { Cluster, type Redis } from 'ioredis'
import { retryDelay, strictOptions } from './redis-client.ts'
import { hostAndPort } from './redis-url.ts'

/** How often the slot map is refreshed, so that a replica that was promoted for a dead master is found. */
const SLOTS_EVERY_MS = 2_000

/** Connects to the nodes of a Redis Cluster, as strictly as to a single Redis: only a command that a node has refused
 *  with MOVED or ASK is sent again, to the node that owns the slot. User, password and TLS are those of the first
 *  URL. */
export function connectCluster(urls: readonly string[], deadlineMs: number): Cluster {
  const nodes = urls.map((url) => new URL(url))
  const [first] = nodes
  const startupNodes = nodes.map((url) => hostAndPort(url))
  const cluster = new Cluster(startupNodes, {
    enableOfflineQueue: false,
    enableReadyCheck: false,
    // Use host names as CLUSTER SLOTS gives them: the nodes' certificates are issued to those.
    dnsLookup: (host, callback) => callback(null, host),
    maxRedirections: 3,
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    slotsRefreshTimeout: 1_000,
    clusterRetryStrategy: retryDelay,
    clusterNodeRetryStrategy: retryDelay,
    redisOptions: {
      ...strictOptions(deadlineMs),
      ...(first?.username ? { username: decodeURIComponent(first.username) } : {}),
      ...(first?.password ? { password: decodeURIComponent(first.password) } : {}),
      ...(first?.protocol === 'rediss:' ? { tls: {} } : {}),
    },
  })
  cluster.on('error', () => {})
  // Connect each node at once. Otherwise its first command would, and those sent in the meantime would fail.
  cluster.on('+node', (node: Redis) => void node.connect().catch(() => {}))
  // The client's own interval outlives a client that is closed in the middle of a look-up.
  const timer = setInterval(() => cluster.refreshSlotsCache(), SLOTS_EVERY_MS).unref()
  cluster.once('end', () => clearInterval(timer))
  return cluster
}
