import type { ServerResponse } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { FairQueue, QueueFull } from '#server/turns/fair-queue.ts'
import { networkLane } from '#server/turns/network-lane.ts'
import { writeProblem } from '../answers.ts'
import { ClientGone, goneSignal } from '../client-gone.ts'

// Next makes an answer in many steps of the only thread, and between two of them every other socket is served, even if only to be
// refused. So a network is served only a few at a time, and the rest wait, which costs nothing: otherwise everybody's pages and
// sign-ins would be as slow as the number of connections that one network opens.

/** Milliseconds after which a turn ends in any case. What takes longer waits for something else, such as a body that is not sent,
 *  and keeps no thread busy. */
const TURN_MS = 1_000

/** A sign-in, which may be delayed, does not keep pages waiting. One at a time: of those that a network sends at once, a script sends
 *  nearly all. */
const queues = {
  page: new FairQueue({ running: 64, runningPerLane: 4, waiting: 2_000 }),
  'sign-in': new FairQueue({ running: 64, runningPerLane: 1, waiting: 2_000 }),
}

export interface PageTurn {
  readonly kind: keyof typeof queues
  /** The client's, as limits count it. */
  readonly address: string
}

/** Answers when the address's network has its turn. Answers 503 if too many wait. Returns when the connection closes, although Next may never
 *  return if the sender of a form leaves. */
export async function answerInTurn(
  res: ServerResponse,
  { kind, address }: PageTurn,
  answer: () => Promise<void>,
): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    if (res.closed) resolve()
    else res.once('close', resolve)
  })
  let answering = closed
  const work = async () => {
    answering = Promise.race([answer(), closed])
    const { promise: late, resolve: endTurn } = Promise.withResolvers<void>()
    // Cleared rather than aborted, which would make two errors with their stacks for each request of a flood.
    const timer = setTimeout(endTurn, TURN_MS)
    await Promise.race([answering, late]).catch(() => undefined)
    clearTimeout(timer)
    // Others' sockets are read before the next of a network that is refused at once.
    await setImmediate()
  }
  try {
    await queues[kind].run({ lane: networkLane(address), signal: goneSignal(res) }, work)
    await answering
  } catch (error) {
    if (error instanceof QueueFull) writeProblem(res, 503, (say) => say('errors.pages-busy'), { 'Retry-After': '5' })
    else if (!(error instanceof ClientGone)) throw error
  }
}
