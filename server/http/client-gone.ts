import type { ServerResponse } from 'node:http'

/** Ends what is done for a client that has left. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone'
}

/** Aborted by ClientGone when the connection closes before the answer is out. */
export function goneSignal(res: ServerResponse): AbortSignal {
  const gone = new AbortController()
  res.once('close', () => {
    if (!res.writableFinished) gone.abort(new ClientGone('the client has left'))
  })
  return gone.signal
}
