import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Bytes of a body that are read and dropped after its answer: enough for a small form to end, so that its connection can be
 *  reused. */
const MAX_DROPPED = 64 * 1024
/** The time for that, and again for the answer to reach a client that is still sending. */
const GRACE_MS = 1_000

const abandoned = new WeakSet<IncomingMessage>()

/**
 * When the answer is complete before the body, reads at most MAX_DROPPED bytes more and closes the connection. Not at once:
 * the reset would destroy the answer before a client that is still sending has read it.
 */
export function leaveRestUnread(req: IncomingMessage, res: ServerResponse): void {
  // Node would read a body that was never touched to its end by itself.
  req.read(0)
  let isLast = false
  announceLastAnswer(req, res, () => {
    isLast = true
  })
  res.once('finish', () => {
    if (req.complete && !isLast) return
    const { socket } = req
    const readBefore = socket.bytesRead
    const close = () => {
      req.off('data', count)
      req.pause()
      endConnection(socket)
    }
    const count = () => {
      if (socket.bytesRead - readBefore > MAX_DROPPED) close()
    }
    if (abandoned.has(req) || req.complete) return close()
    const timer = setTimeout(close, GRACE_MS)
    req
      .on('data', count)
      .once('end', () => {
        clearTimeout(timer)
        if (isLast) close()
      })
      .once('close', () => clearTimeout(timer))
    req.resume()
  })
}

/** Ends a connection after its last answer, whatever the client goes on to send: ended only on this side, it would last as
 *  long as the client likes. */
export function endConnection(socket: Socket, lastAnswer?: string): void {
  socket.pause()
  if (lastAnswer) socket.write(lastAnswer)
  socket.end()
  setTimeout(() => socket.destroy(), GRACE_MS).unref()
}

/**
 * Sends `Connection: close` with an answer if more of the body may follow than will be read: the client's next request on
 * the connection would be lost (RFC 9112, 9.6). Closing is then up to the caller, because Node would close at once.
 */
function announceLastAnswer(req: IncomingMessage, res: ServerResponse, onLast: () => void): void {
  const length = Number(req.headers['content-length'] ?? 0)
  if (length <= MAX_DROPPED) return
  const { socket } = req
  const readBefore = socket.bytesRead
  const { writeHead } = res
  Reflect.set(res, 'writeHead', (...head: unknown[]) => {
    if (!req.complete && length - (socket.bytesRead - readBefore) > MAX_DROPPED) {
      onLast()
      res.setHeader('Connection', 'close')
      socket.destroySoon = () => undefined
    }
    return Reflect.apply(writeHead, res, head)
  })
}

/** Answers `Expect: 100-continue` when the body is first read, so that the body of a request refused for its head is never
 *  sent. */
export function continueWhenRead(req: IncomingMessage, res: ServerResponse): void {
  const sendContinue = () => {
    req.off('resume', sendContinue).off('newListener', onListener)
    // After the answer, a body is only read to be dropped.
    if (!res.headersSent) res.writeContinue()
  }
  const onListener = (event: string | symbol) => {
    if (event === 'readable') sendContinue()
  }
  req.on('resume', sendContinue).on('newListener', onListener)
}

/** Pauses the request when its reader detaches in the middle of the body, as at a size cap; otherwise the rest would still be
 *  received. */
export function pauseWhenAbandoned(req: IncomingMessage): void {
  req.on('removeListener', (event) => {
    if (event !== 'data' || req.complete) return
    abandoned.add(req)
    req.pause()
  })
}
