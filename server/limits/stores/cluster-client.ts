import { Cluster, type Redis } from 'ioredis'
import { retryDelay, strictOptions } from './redis-client.ts'

/** How often the slots are looked up that nodes have, so that a replica which took a dead master's place is found. */
const SLOTS_EVERY_MS = 2_000

/** Connections to the nodes of a Redis Cluster, as strict as the one to a single Redis: only what a node has refused to
 *  do, because the slot is another's, goes on to that one. User, password and TLS are those of the first URL. */
export function connectCluster(urls: readonly string[], deadlineMs: number): Cluster {
  const [first] = urls.map((url) => new URL(url))
  const cluster = new Cluster(urls.map(hostAndPort), {
    enableOfflineQueue: false,
    enableReadyCheck: false,
    // As they are called: what CLUSTER SLOTS says, and what their certificates are made out to.
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
  // Otherwise the first command of each would connect it, and those behind it would fail meanwhile.
  cluster.on('+node', (node: Redis) => void node.connect().catch(() => {}))
  // The client's own interval outlives a client that is closed in the middle of a look-up.
  const timer = setInterval(() => cluster.refreshSlotsCache(), SLOTS_EVERY_MS).unref()
  cluster.once('end', () => clearInterval(timer))
  return cluster
}

function hostAndPort(url: string): { host: string; port: number } {
  const { hostname, port } = new URL(url)
  // An IPv6 address stands in brackets in a URL, and only there.
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 6379) }
}
