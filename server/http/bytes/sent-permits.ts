import type { ServerResponse } from 'node:http'
import type { App } from '#server/app.ts'
import type { CallOptions } from '#server/limits/call-limiter.ts'
import type { LimitRequest } from '#server/limits/charges.ts'
import type { Decision } from '#server/limits/decision.ts'
import type { Permit } from '#server/limits/permit.ts'
import type { CompiledRuleSet } from '#server/limits/rules/compiled.ts'
import { ClientGone } from '../client-gone.ts'
import { type Sending, SLICE_BYTES } from './send-object.ts'

interface Call {
  readonly app: App
  readonly requestId: string
}

/** The permits of one answer with bytes, settled by what really left. They end with the response: what was taken is
 *  charged for the bytes that the client took, and permits granted later are given back. */
export abstract class SentPermits implements Sending {
  readonly #call: Call
  #permits: readonly Permit[]
  /** Whether the call is in the statistics already. */
  #isCounted: boolean
  #reserved: number
  #handed = 0
  #left = 0
  #hasEnded = false

  /** `permit`: what it has taken already, `bytes` of them. */
  constructor(call: Call, permit: Permit | null = null, bytes = 0) {
    this.#call = call
    this.#permits = permit ? [permit] : []
    this.#isCounted = permit !== null
    this.#reserved = bytes
  }

  /** The decisions so far, for the headers of the answer. */
  get decisions(): readonly Decision[] {
    return this.#permits.map(({ decision }) => decision)
  }

  /** Bytes for which permits were taken. */
  protected get reserved(): number {
    return this.#reserved
  }

  hand(bytes: number): void {
    this.#handed += bytes
  }

  markLeft(): void {
    this.#left = this.#handed
  }

  /** Ends with the response, whenever that is: before anything is taken, but for what is taken already. */
  endWith(res: ServerResponse): void {
    // A response closes once: to listen by `once` would only cost more.
    if (!res.closed) return void res.on('close', () => this.#end(res))
    this.#hasEnded = true
    this.#behind(this.#giveBack())
  }

  /** Counts a call that these sets do not limit. */
  free(label: string, sets: readonly CompiledRuleSet[]): void {
    this.#call.app.limiter.free(label, sets)
    this.#isCounted = true
  }

  /** Takes permits for `bytes` that are about to be sent: the refusing decision, or null. A refused call has taken
   *  nothing. Throws CostAboveLimit, and ClientGone when the client has disconnected. */
  protected async take(requests: readonly LimitRequest[], options: CallOptions, bytes = 0): Promise<Decision | null> {
    if (requests.length === 0) return null
    const countsCall = this.#isCounted ? 'if-refused' : 'always'
    this.#isCounted = true
    const permit = await this.#call.app.limiter.reserve(requests, { ...options, countsCall })
    this.#permits = [...this.#permits, permit]
    if (permit.decision.allowed && !this.#hasEnded) {
      this.#reserved += bytes
      return null
    }
    await this.#giveBack()
    if (this.#hasEnded) throw new ClientGone('the client has left')
    return permit.decision
  }

  /** Called at the end with the number of bytes that the client took. */
  protected abstract sent(bytes: number): void

  #end(res: ServerResponse): void {
    this.#hasEnded = true
    if (res.writableFinished) this.markLeft()
    // The first slice counts as soon as it is written: otherwise a client that disconnects before its last byte would
    // read for nothing.
    const bytes = Math.max(this.#left, Math.min(this.#handed, SLICE_BYTES))
    this.sent(bytes)
    const outcome = res.statusCode >= 400 && res.statusCode < 500 ? 'failed' : 'succeeded'
    for (const permit of this.#permits) {
      this.#behind(bytes === this.#reserved ? permit.end(outcome) : settleAndEnd(permit, bytes, outcome))
    }
  }

  /** Refunds everything that has not ended. */
  async #giveBack(): Promise<void> {
    const taken = this.#permits
    this.#permits = []
    for (const permit of taken) await permit.refund()
  }

  #behind(work: Promise<void> | null): void {
    work?.catch((error: unknown) => {
      const { app, requestId } = this.#call
      app.logFailure({ requestId, err: error }, 'a permit was not given back')
    })
  }
}

async function settleAndEnd(permit: Permit, bytes: number, outcome: 'succeeded' | 'failed'): Promise<void> {
  await permit.settle(bytes)
  await permit.end(outcome)
}
