import type { IncomingMessage, ServerResponse } from 'node:http'

/** Milliseconds for the answer to reach a client that is still sending. */
const GRACE_MS = 1_000

/**
 * When the answer is out before the body is in, reads no further and closes the connection. Not at once: the reset that
 * meets a client in the middle of sending would take the answer from it.
 */
export function leaveRestUnread(req: IncomingMessage, res: ServerResponse): void {
  res.once('finish', () => {
    if (req.complete) return
    const { socket } = req
    req.pause()
    socket.pause()
    socket.end()
    setTimeout(() => socket.destroy(), GRACE_MS).unref()
  })
}
