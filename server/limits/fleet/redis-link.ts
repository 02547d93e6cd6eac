import { connectRedis, leaveReplica } from '../stores/redis/redis-client.ts'
import { isNodeUrl } from '../stores/redis/redis-url.ts'

/** A channel of one Redis, or of one node of a Cluster, whose nodes forward published messages to one another. */
export interface RedisLink {
  /** Resolves when Redis has accepted the message, and rejects when that is uncertain: nothing is queued or sent twice. */
  publish(message: string): Promise<void>
  close(): void
}

export interface LinkListener {
  /** From now on messages are received; earlier ones may have been missed. */
  opened(): void
  heard(message: string): void
}

/** Begins with the same prefix as the keys. Databases of one Redis share their channels, so the name ends with the
 *  database. */
export const CHANNEL = 'RATE:FLEET'

/** Subscribes and publishes on connections of its own. Connects at once, and reconnects whenever a connection is lost. */
export function openLink(url: string, listener: LinkListener): RedisLink {
  const subscriber = connectRedis(url)
  const publisher = connectRedis(url)
  const channel = `${CHANNEL}:${publisher.options.db ?? 0}`
  let isClosed = false
  subscriber.on('ready', () => {
    // A failure here ends the connection, or the message is never received: the listener detects either.
    subscriber.subscribe(channel).then(
      () => isClosed || listener.opened(),
      () => {},
    )
  })
  subscriber.on('message', (_, message) => isClosed || listener.heard(message))
  return {
    publish: async (message) => {
      // A replica accepts messages, but does not pass them on to its master. It refuses a write, even one without effect.
      publisher.del(channel).catch((error: Error) => {
        leaveReplica(subscriber, error)
        leaveReplica(publisher, error)
      })
      await publisher.publish(channel, message)
    },
    close: () => {
      isClosed = true
      subscriber.disconnect()
      publisher.disconnect()
    },
  }
}

/** Returns the URL of each node of a comma-separated list; all have the user, password and TLS of the first. That of a socket or
 *  of Sentinels is one. */
export function urlsOfNodes(redisUrl: string): string[] {
  if (!isNodeUrl(redisUrl)) return [redisUrl]
  const [first = '', ...others] = redisUrl.split(',').map((url) => url.trim())
  const urlsOfOthers = others.map((other) => {
    const { hostname, port } = new URL(other)
    const url = new URL(first)
    url.hostname = hostname
    url.port = port || '6379'
    return url.href
  })
  return [first, ...urlsOfOthers]
}
