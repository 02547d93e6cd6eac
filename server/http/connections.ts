import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as Listener, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'

/** Milliseconds without a request after which a drain closes a connection. A request that arrives just as its
 *  connection is closed is lost, and proxies do not repeat a POST; a connection in use is told by its next answer that
 *  it was the last. */
const UNUSED_MS = 1_000
const LOOK_MS = 100

export interface Connections {
  /** Stops listening; resolves when all connections have ended. Those with a request under way go on. Those without
   *  one, be they kept alive, opened in advance or with half a head sent, are closed once unused for a second. */
  drain(): Promise<void>
}

interface Use {
  /** Requests under way. */
  count: number
  /** When the last one ended, or the connection was opened. */
  since: number
}

/** Keeps count of the requests on each connection. Node's own count knows no connection that never sent one whole. */
export function trackConnections(server: Server, { unusedMs = UNUSED_MS } = {}): Connections {
  const uses = new Map<Socket, Use>()
  const lookUp = (socket: Socket): Use => {
    const use = uses.get(socket) ?? { count: 0, since: performance.now() }
    uses.set(socket, use)
    return use
  }
  server.on('connection', (socket: Socket) => {
    lookUp(socket)
    socket.once('close', () => uses.delete(socket))
  })
  const count = ({ socket }: IncomingMessage, res: ServerResponse) => {
    const use = lookUp(socket)
    use.count += 1
    res.once('close', () => {
      use.count -= 1
      use.since = performance.now()
    })
  }
  // Clients that expect something, as to be told to send their body, are served by events of their own.
  for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, count)
  const closeUnused = async () => {
    // Whatever came before this is read first.
    await setImmediate()
    const before = performance.now() - unusedMs
    for (const [socket, { count, since }] of uses) if (count === 0 && since <= before) socket.destroy()
  }
  return {
    drain: async () => {
      const closed = new Promise<void>((resolve) => server.once('close', resolve))
      // What the kernel has accepted by now is not refused.
      await setImmediate()
      // That of http.Server would close what is unused at once.
      Listener.prototype.close.call(server)
      const looking = setInterval(closeUnused, LOOK_MS)
      await closed
      clearInterval(looking)
    },
  }
}
