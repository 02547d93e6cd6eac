import type { TRPCError } from '@trpc/server'
import { refuse } from '#server/errors/refuse.ts'

interface Hold {
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal | undefined
  /** Aborted when the server drains, so that an endless stream does not keep it running. */
  readonly draining: AbortSignal | null
  /** Called once when the stream is over, with its error if it failed. */
  end(error: unknown): Promise<void>
}

/** The stream of a subscription, which holds the call's permits until it is over: finished, failed, abandoned by its reader
 *  or client, or ended by a drain. A drain makes it fail as unavailable, so that clients reconnect. */
export class HeldStream implements AsyncIterableIterator<unknown> {
  readonly #source: AsyncIterator<unknown>
  readonly #hold: Hold
  readonly #listening = new AbortController()
  #isOver = false
  /** Ends the wait for the next item. */
  #interrupt = (_reason: Error): void => {}

  constructor(stream: AsyncIterable<unknown>, hold: Hold) {
    this.#source = stream[Symbol.asyncIterator]()
    this.#hold = hold
    this.#whenAborted(hold.signal, () => void this.#end(null))
    this.#whenAborted(hold.draining, () => this.#drain())
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async next(): Promise<IteratorResult<unknown>> {
    if (this.#hold.draining?.aborted) throw drainError()
    try {
      const item = await new Promise<IteratorResult<unknown>>((resolve, reject) => {
        this.#interrupt = reject
        this.#source.next().then(resolve, reject)
      })
      if (item.done) await this.#end(null)
      return item
    } catch (error) {
      await this.#end(error)
      throw error
    }
  }

  async return(): Promise<IteratorResult<unknown>> {
    this.#leave()
    await this.#end(null)
    return { done: true, value: undefined }
  }

  /** Not awaited: a source that is waiting for its next item returns only then, if ever. */
  #leave(): void {
    this.#source.return?.().catch(() => undefined)
  }

  #drain(): void {
    void this.#end(null)
    this.#interrupt(drainError())
    this.#leave()
  }

  #whenAborted(signal: AbortSignal | null | undefined, run: () => void): void {
    if (signal?.aborted) run()
    else signal?.addEventListener('abort', run, { once: true, signal: this.#listening.signal })
  }

  async #end(error: unknown): Promise<void> {
    if (this.#isOver) return
    this.#isOver = true
    this.#listening.abort()
    await this.#hold.end(error)
  }
}

function drainError(): TRPCError {
  return refuse('restarting')
}
