import type { ServerResponse } from 'node:http'
import type { App } from '#server/app.ts'
import type { ByteRequest } from '#server/images/byte-request.ts'
import { CostAboveLimit } from '#server/limits/charges.ts'
import type { Decision } from '#server/limits/decision.ts'
import type { Permit } from '#server/limits/permit.ts'
import type { CompiledRuleSet } from '#server/limits/rules/compiled.ts'
import type { AnyCaller } from '#server/limits/subject.ts'
import { subjectOf } from '#server/limits/subject.ts'
import type { Payer } from '#server/storage/payer.ts'
import type { CallKind, TokenCharges } from './image-reader.ts'

/** Bytes that are handed to a connection at a time, for it to take before there are more. */
export const SLICE_BYTES = 128 * 1024

interface Parts {
  readonly app: App
  readonly kind: CallKind
  readonly asked: ByteRequest
  /** At whose expense it is. */
  readonly caller: AnyCaller
  /** Whom no limit holds, but that of a token. */
  readonly isFree: boolean
  readonly byToken?: TokenCharges | null
  readonly requestId: string
}

/** One call of the byte route: what it takes of limits, and what is known at its end of what really left. */
export class ByteCall {
  readonly #parts: Parts
  #permits: readonly Permit[]
  #reserved = 0
  #left = 0
  #handed = 0
  #sha256: string | null = null

  /** `permit`: what it has taken already, `bytes` of them. */
  constructor(parts: Parts, permit: Permit | null = null, bytes = 0) {
    this.#parts = parts
    this.#permits = permit ? [permit] : []
    this.#reserved = bytes
  }

  /** At whose expense the store is asked. */
  get payer(): Payer {
    const { kind, caller } = this.#parts
    return { procedure: kind.label, subject: subjectOf('subject', caller), object: this.#sha256 ?? undefined }
  }

  /** What was decided, for the headers of the answer. */
  get decisions(): readonly Decision[] {
    return this.#permits.map(({ decision }) => decision)
  }

  /** Takes for the call itself, before anything is looked up. The refusing decision, or null. */
  takeCall(signal: AbortSignal): Promise<Decision | null> {
    return this.#take(this.#parts.kind.calls, signal)
  }

  /** Takes for bytes that are about to leave; those that it has taken already are kept in mind. The refusing decision, or
   *  null. Throws CostAboveLimit for more than anybody may have. */
  async takeBytes(bytes: number, signal: AbortSignal): Promise<Decision | null> {
    if (this.#reserved > 0 || bytes === 0) return null
    const refused = await this.#take(this.#parts.kind.bytes, signal, bytes)
    if (!refused) this.#reserved = bytes
    return refused
  }

  /** The bytes are those of this image. */
  sends(sha256: string): void {
    this.#sha256 = sha256
  }

  /** So many bytes are being handed to the connection. */
  hand(bytes: number): void {
    this.#handed += bytes
  }

  /** All that were handed to it have left. */
  markLeft(): void {
    this.#left = this.#handed
  }

  /** Ends with the response, whenever that is: what the client did not take is given back. */
  endWith(res: ServerResponse): void {
    if (res.closed) this.#end(res)
    // A response closes once: to listen by `once` would only cost more.
    else res.on('close', () => this.#end(res))
  }

  #end(res: ServerResponse): void {
    if (res.writableFinished) this.markLeft()
    // The first slice counts once it is handed over, or a client that closes before the last byte would read for nothing.
    const sent = Math.max(this.#left, Math.min(this.#handed, SLICE_BYTES))
    const { app, requestId } = this.#parts
    if (this.#sha256 !== null) app.usage.sent(this.payer, this.#sha256, sent)
    const outcome = res.statusCode >= 400 && res.statusCode < 500 ? 'failed' : 'succeeded'
    for (const permit of this.#permits) {
      const ended = sent === this.#reserved ? permit.end(outcome) : settleAndEnd(permit, sent, outcome)
      ended?.catch((error: unknown) => app.log.error({ requestId, err: error }, 'a permit was not given back'))
    }
  }

  async #take(sets: readonly CompiledRuleSet[], signal: AbortSignal, bytes?: number): Promise<Decision | null> {
    const { app, kind, caller, asked, isFree, byToken } = this.#parts
    // Counted once, as the call that it is.
    if (isFree && sets === kind.calls) app.limiter.free(kind.label, kind.all)
    const own = isFree ? [] : [{ sets, caller, input: asked, ...(bytes !== undefined && { bytes }) }]
    const requests = byToken ? [...own, ...(bytes === undefined ? byToken.calls : byToken.bytes(bytes))] : own
    if (requests.length === 0) return null
    const permit = await app.limiter.reserve(requests, { label: kind.label, signal })
    if (permit.decision.allowed) {
      this.#permits = [...this.#permits, permit]
      return null
    }
    // A call that is refused at any time has taken nothing.
    const taken = this.#permits
    this.#permits = []
    for (const each of taken) await each.refund()
    return permit.decision
  }
}

/** Ends a permit, charged for the bytes that were sent. */
export async function settleAndEnd(permit: Permit, sent: number, outcome: 'succeeded' | 'failed'): Promise<void> {
  await permit.settle(sent)
  await permit.end(outcome)
}

/** Whether it says that the bytes are more than a limit ever lets pass. */
export const isTooMuch = (error: unknown): boolean => error instanceof CostAboveLimit
