import type { App } from '#server/app.ts'
import type { ByteRequest } from '#server/images/byte-request.ts'
import type { LimitRequest } from '#server/limits/charges.ts'
import type { Decision } from '#server/limits/decision.ts'
import type { Permit } from '#server/limits/permit.ts'
import type { CompiledRuleSet } from '#server/limits/rules/compiled.ts'
import type { AnyCaller } from '#server/limits/subject.ts'
import { subjectOf } from '#server/limits/subject.ts'
import type { Payer } from '#server/storage/payer.ts'
import type { CallKind, TokenCharges } from './image-reader.ts'
import { SentPermits } from './sent-permits.ts'

interface Parts {
  readonly app: App
  readonly kind: CallKind
  readonly asked: ByteRequest
  /** Who pays for it. */
  readonly caller: AnyCaller
  /** Exempt from all limits but those of a token. */
  readonly isFree: boolean
  readonly byToken?: TokenCharges | null
  readonly requestId: string
}

/** The permits of one call of the byte route. */
export class ByteCall extends SentPermits {
  readonly #parts: Parts
  #sha256: string | null = null

  /** `permit`: what it has taken already, `bytes` of them. */
  constructor(parts: Parts, permit: Permit | null = null, bytes = 0) {
    super(parts, permit, bytes)
    this.#parts = parts
  }

  /** Who pays for requests to the store. */
  get payer(): Payer {
    const { kind, caller } = this.#parts
    return { procedure: kind.label, subject: subjectOf('subject', caller), object: this.#sha256 ?? undefined }
  }

  /** Takes the permits of the call itself, before anything is looked up. The refusing decision, or null. */
  takeCall(signal: AbortSignal): Promise<Decision | null> {
    const { kind, isFree, byToken } = this.#parts
    if (isFree) this.free(kind.label, kind.all)
    return this.take([...this.#own(kind.calls), ...(byToken?.calls ?? [])], { label: kind.label, signal })
  }

  /** Takes permits for bytes that are about to be sent, less those taken already. The refusing decision, or null.
   *  Throws CostAboveLimit for more than any caller can have. */
  async takeBytes(bytes: number, signal: AbortSignal): Promise<Decision | null> {
    if (this.reserved > 0 || bytes === 0) return null
    const { kind, byToken } = this.#parts
    const requests = [...this.#own(kind.bytes, bytes), ...(byToken?.bytes(bytes) ?? [])]
    return this.take(requests, { label: kind.label, signal }, bytes)
  }

  /** Notes which image's bytes are sent, for the usage statistics. */
  sends(sha256: string): void {
    this.#sha256 = sha256
  }

  protected override sent(bytes: number): void {
    if (this.#sha256 !== null) this.#parts.app.usage.sent(this.payer, this.#sha256, bytes)
  }

  #own(sets: readonly CompiledRuleSet[], bytes?: number): readonly LimitRequest[] {
    const { caller, asked, isFree } = this.#parts
    return isFree ? [] : [{ sets, caller, input: asked, ...(bytes !== undefined && { bytes }) }]
  }
}
