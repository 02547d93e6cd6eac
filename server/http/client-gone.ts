import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Ends what is done for a client that has left. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone'
}

/** Aborted by ClientGone when the connection closes before the answer is out. */
export function goneSignal(res: ServerResponse): AbortSignal {
  const gone = new AbortController()
  const end = () => {
    if (!res.writableFinished) gone.abort(new ClientGone('the client has left'))
  }
  if (res.closed) end()
  else res.once('close', end)
  return gone.signal
}

const signals = new WeakMap<Socket, AbortSignal>()

/** Aborted by ClientGone when the connection closes: one for all its requests, which are short. */
export function goneSignalOf(socket: Socket): AbortSignal {
  const known = signals.get(socket)
  if (known !== undefined) return known
  const gone = new AbortController()
  signals.set(socket, gone.signal)
  socket.once('close', () => gone.abort(new ClientGone('the client has left')))
  return gone.signal
}
