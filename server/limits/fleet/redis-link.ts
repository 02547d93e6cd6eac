import { connectRedis } from '../stores/redis/redis-client.ts'

/** A channel of one Redis, or of one node of a Cluster, whose nodes pass on to one another what is published. */
export interface RedisLink {
  /** Resolves when Redis has it, and rejects when that is not sure: nothing is queued or sent twice. */
  publish(message: string): Promise<void>
  close(): void
}

export interface LinkListener {
  /** From now on messages are heard; whatever came before may be missed. */
  opened(): void
  heard(message: string): void
}

/** Begins with the same letters as the keys. Databases of one Redis share their channels, so it ends with theirs. */
export const CHANNEL = 'RATE:FLEET'

/** Listens and speaks on connections of its own. Connects at once and, when a connection is lost, again and again. */
export function openLink(url: string, listener: LinkListener): RedisLink {
  const subscriber = connectRedis(url)
  const publisher = connectRedis(url)
  const channel = `${CHANNEL}:${publisher.options.db ?? 0}`
  let isClosed = false
  subscriber.on('ready', () => {
    // What fails here ends the connection or is never heard: whoever listens finds out by that.
    subscriber.subscribe(channel).then(
      () => isClosed || listener.opened(),
      () => {},
    )
  })
  subscriber.on('message', (_, message) => isClosed || listener.heard(message))
  return {
    publish: async (message) => {
      await publisher.publish(channel, message)
    },
    close: () => {
      isClosed = true
      subscriber.disconnect()
      publisher.disconnect()
    },
  }
}

/** The URL of each node, behind commas; user, password and TLS of all are those of the first. */
export function urlsOfNodes(redisUrl: string): string[] {
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
