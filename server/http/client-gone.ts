import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The client has disconnected: the work for it ends. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone'
}

/** Returns a signal that aborts with ClientGone if the connection closes before the answer is sent. */
export function goneSignal(res: ServerResponse): AbortSignal {
  const gone = new AbortController()
  const end = () => {
    if (!res.writableFinished) gone.abort(new ClientGone('the client has disconnected'))
  }
  if (res.closed) end()
  else res.once('close', end)
  return gone.signal
}

const signals = new WeakMap<Socket, AbortSignal>()

/** Returns a signal that aborts with ClientGone when the connection closes. All requests of a connection share it, which
 *  spares one signal for each short request. */
export function socketGoneSignal(socket: Socket): AbortSignal {
  const known = signals.get(socket)
  if (known !== undefined) return known
  const gone = new AbortController()
  signals.set(socket, gone.signal)
  socket.once('close', () => gone.abort(new ClientGone('the client has disconnected')))
  return gone.signal
}
