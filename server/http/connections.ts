import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as Listener, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'

/** How long a connection must be without a request before a drain closes it. A request that arrives as its connection is
 *  closed is lost, and proxies do not repeat a POST; a connection in use gets `Connection: close` with its next answer. */
const UNUSED_MS = 1_000
const CHECK_MS = 100

export interface Connections {
  /** Stops listening; resolves when all connections have ended. Requests under way are completed. Connections without one
   *  (kept alive, opened in advance, or with an incomplete head) are closed once unused for a second. */
  drain(): Promise<void>
}

interface Use {
  /** Requests under way. */
  count: number
  /** When the last request ended or the connection was opened. */
  since: number
}

export interface ConnectionsOptions {
  /** Replaces UNUSED_MS, for tests. */
  readonly unusedMs?: number
  /** How many may be open at once. A further one takes the place of the one that has been unused the longest; where all
   *  are in use it is closed itself. */
  readonly most?: number
  /** Called for each connection beyond `most`. */
  readonly onFull?: () => void
}

/** Counts the requests on each connection. Node's own count misses connections that never sent a complete request. */
export function trackConnections(
  server: Server,
  { unusedMs = UNUSED_MS, most = Number.POSITIVE_INFINITY, onFull = () => {} }: ConnectionsOptions = {},
): Connections {
  /** The longest unused first, among those without a request. */
  const uses = new Map<Socket, Use>()
  const lookUp = (socket: Socket): Use => {
    const use = uses.get(socket) ?? { count: 0, since: performance.now() }
    uses.set(socket, use)
    return use
  }
  /** The newest is unused too, and goes where all others are in use. */
  const closeLongestUnused = () => {
    const [socket] = uses.entries().find(([, { count }]) => count === 0) ?? []
    if (!socket) return
    uses.delete(socket)
    socket.destroy()
  }
  server.on('connection', (socket: Socket) => {
    lookUp(socket)
    socket.once('close', () => uses.delete(socket))
    if (uses.size <= most) return
    onFull()
    closeLongestUnused()
  })
  const count = ({ socket }: IncomingMessage, res: ServerResponse) => {
    const use = lookUp(socket)
    use.count += 1
    res.once('close', () => {
      use.count -= 1
      use.since = performance.now()
      if (uses.delete(socket)) uses.set(socket, use)
    })
  }
  // Requests with an Expect header have events of their own.
  for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, count)
  const closeUnused = async () => {
    // Reads what has already arrived first.
    await setImmediate()
    const before = performance.now() - unusedMs
    for (const [socket, { count, since }] of uses) if (count === 0 && since <= before) socket.destroy()
  }
  return {
    drain: async () => {
      const closed = new Promise<void>((resolve) => server.once('close', resolve))
      // Connections that the kernel has already accepted are not refused.
      await setImmediate()
      // http.Server's own close() would close unused connections at once.
      Listener.prototype.close.call(server)
      const timer = setInterval(closeUnused, CHECK_MS)
      await closed
      clearInterval(timer)
    },
  }
}
