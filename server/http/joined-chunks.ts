import type { IncomingMessage } from 'node:http'

/** Bytes of a chunk that is passed on as it is, where none waits. */
const LARGE = 4 * 1024
/** Bytes of small ones that are passed on without waiting for more. */
const MOST = 64 * 1024

/**
 * Joins the small chunks of a body that come with one read of the socket, however a client has cut it: for who queues chunks as
 * they come, and would have an object for each byte of theirs. To be called before anything is read.
 */
export function joinChunks(req: IncomingMessage): void {
  // All that comes into a stream is pushed.
  const push = req.push.bind(req)
  let waiting: Buffer[] = []
  let bytes = 0
  const pass = (): boolean => {
    if (bytes === 0) return true
    const joined = Buffer.concat(waiting, bytes)
    waiting = []
    bytes = 0
    return push(joined)
  }
  req.push = (chunk: Buffer | null) => {
    if (chunk === null) {
      pass()
      return push(null)
    }
    if (bytes === 0 && chunk.length >= LARGE) return push(chunk)
    // Behind all that is read of sockets in this turn.
    if (bytes === 0) setImmediate(pass)
    waiting.push(chunk)
    bytes += chunk.length
    // What was passed on before may lie there unread.
    return (bytes < MOST || pass()) && req.readableLength < req.readableHighWaterMark
  }
}
