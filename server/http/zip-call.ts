import type { ServerResponse } from 'node:http'
import type { App } from '#server/app.ts'
import type { LimitRequest } from '#server/limits/charges.ts'
import type { Decision } from '#server/limits/decision.ts'
import type { Permit } from '#server/limits/permit.ts'
import type { Payer } from '#server/storage/payer.ts'
import { SLICE_BYTES, settleAndEnd } from './byte-call.ts'
import type { Sending } from './send-object.ts'

/** How a zip is called where calls are counted. */
export const ZIP_LABEL = 'zip'

/** What one zip takes of limits, and what is known at its end of what really left. */
export class ZipCall implements Sending {
  readonly #app: App
  readonly #subject: string
  readonly #requestId: string
  #permits: readonly Permit[] = []
  #handed = 0
  #left = 0
  /** Bytes handed over, by the hash of the image that they are of; the last is under way. */
  readonly #byObject: { readonly sha256: string; bytes: number }[] = []

  constructor(app: App, subject: string, requestId: string) {
    this.#app = app
    this.#subject = subject
    this.#requestId = requestId
  }

  get decisions(): readonly Decision[] {
    return this.#permits.map(({ decision }) => decision)
  }

  /** At whose expense the store is asked for an image. */
  payerFor(sha256: string): Payer {
    return { procedure: ZIP_LABEL, subject: this.#subject, object: sha256 }
  }

  /** The refusing decision, or null. One that is refused at any time has taken nothing. Throws CostAboveLimit. */
  async take(requests: readonly LimitRequest[], signal: AbortSignal): Promise<Decision | null> {
    if (requests.length === 0) return null
    const permit = await this.#app.limiter.reserve(requests, { label: ZIP_LABEL, signal })
    if (permit.decision.allowed) {
      this.#permits = [...this.#permits, permit]
      return null
    }
    const taken = this.#permits
    this.#permits = []
    for (const each of taken) await each.refund()
    return permit.decision
  }

  /** What is handed over from now on is of this image. */
  sends(sha256: string): void {
    this.#byObject.push({ sha256, bytes: 0 })
  }

  hand(bytes: number): void {
    this.#handed += bytes
    const last = this.#byObject.at(-1)
    if (last) last.bytes += bytes
  }

  markLeft(): void {
    this.#left = this.#handed
  }

  /** Ends with the response: what the client did not take is given back. */
  endWith(res: ServerResponse): void {
    if (res.closed) this.#end(res)
    else res.once('close', () => this.#end(res))
  }

  #end(res: ServerResponse): void {
    if (res.writableFinished) this.markLeft()
    const sent = Math.max(this.#left, Math.min(this.#handed, SLICE_BYTES))
    let rest = sent
    for (const { sha256, bytes } of this.#byObject) {
      const own = Math.min(bytes, rest)
      rest -= own
      if (own > 0) this.#app.usage.sent(this.payerFor(sha256), sha256, own)
    }
    const outcome = res.statusCode >= 400 && res.statusCode < 500 ? 'failed' : 'succeeded'
    for (const permit of this.#permits) {
      settleAndEnd(permit, sent, outcome).catch((error: unknown) => {
        this.#app.log.error({ requestId: this.#requestId, err: error }, 'a permit was not given back')
      })
    }
  }
}
