import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export interface Connections {
  /** Ends every connection that serves no request: kept alive, opened in advance, or with half a header sent. */
  closeUnused(): void
}

/** Keeps count of the requests on each connection. Node's own count knows no connection that never sent one whole. */
export function trackConnections(server: Server): Connections {
  const requests = new Map<Socket, number>()
  const add = (socket: Socket, count: number) => requests.set(socket, (requests.get(socket) ?? 0) + count)
  server.on('connection', (socket: Socket) => {
    add(socket, 0)
    socket.once('close', () => requests.delete(socket))
  })
  const count = (req: IncomingMessage, res: ServerResponse) => {
    add(req.socket, 1)
    res.once('close', () => {
      if (requests.has(req.socket)) add(req.socket, -1)
    })
  }
  // Clients that expect something, as to be told to send their body, are served by events of their own.
  for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, count)
  return {
    closeUnused: () => {
      for (const [socket, count] of requests) if (count === 0) socket.destroy()
    },
  }
}
