import type { IncomingMessage, ServerResponse } from 'node:http'

/** Bytes of a body that are still read, and dropped, once its answer is out: enough for a form to end and its connection to serve on. */
const READ_ON = 64 * 1024
/** Milliseconds for that, and again for the answer to reach a client that is still sending. */
const GRACE_MS = 1_000

const abandoned = new WeakSet<IncomingMessage>()

/**
 * When the answer is out before the body is in, reads no more than a chunk further and closes the connection. Not at
 * once: the reset that meets a client in the middle of sending would take the answer from it.
 */
export function leaveRestUnread(req: IncomingMessage, res: ServerResponse): void {
  // A body that was never touched Node would read to its end by itself.
  req.read(0)
  let isLast = false
  sayWhereItIsLast(req, res, () => {
    isLast = true
  })
  res.once('finish', () => {
    if (req.complete && !isLast) return
    const { socket } = req
    const readBefore = socket.bytesRead
    const giveUp = () => {
      req.off('data', count)
      req.pause()
      socket.pause()
      socket.end()
      setTimeout(() => socket.destroy(), GRACE_MS).unref()
    }
    const count = () => {
      if (socket.bytesRead - readBefore > READ_ON) giveUp()
    }
    if (abandoned.has(req) || req.complete) return giveUp()
    const patience = setTimeout(giveUp, GRACE_MS)
    req
      .on('data', count)
      .once('end', () => {
        clearTimeout(patience)
        if (isLast) giveUp()
      })
      .once('close', () => clearTimeout(patience))
    req.resume()
  })
}

/**
 * Says in the head of an answer that it is the last of its connection, where more of the body may be to come than is read
 * on: what the client sent next would be lost (RFC 9112, 9.6). To close is the caller's then: Node would do so at once.
 */
function sayWhereItIsLast(req: IncomingMessage, res: ServerResponse, onLast: () => void): void {
  const length = Number(req.headers['content-length'] ?? 0)
  if (length <= READ_ON) return
  const { socket } = req
  const readBefore = socket.bytesRead
  const { writeHead } = res
  Reflect.set(res, 'writeHead', (...head: unknown[]) => {
    if (!req.complete && length - (socket.bytesRead - readBefore) > READ_ON) {
      onLast()
      res.setHeader('Connection', 'close')
      socket.destroySoon = () => undefined
    }
    return Reflect.apply(writeHead, res, head)
  })
}

/** Tells a client that waits for it (`Expect: 100-continue`) to send its body when somebody begins to read it, and not before:
 *  what is refused for its head is not sent at all. */
export function continueWhenRead(req: IncomingMessage, res: ServerResponse): void {
  const tell = () => {
    req.off('resume', tell).off('newListener', hear)
    // Once the answer is out, what is read is dropped.
    if (!res.headersSent) res.writeContinue()
  }
  const hear = (event: string | symbol) => {
    if (event === 'readable') tell()
  }
  req.on('resume', tell).on('newListener', hear)
}

/** Stops the socket with the body's reader: one that detaches in the middle, at a cap, would leave it flowing into nothing. */
export function pauseWhenAbandoned(req: IncomingMessage): void {
  req.on('removeListener', (event) => {
    if (event !== 'data' || req.complete) return
    abandoned.add(req)
    req.pause()
  })
}
