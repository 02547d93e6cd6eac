import type { App } from '#server/app.ts'
import type { LimitRequest } from '#server/limits/charges.ts'
import type { Decision } from '#server/limits/decision.ts'
import type { Payer } from '#server/storage/payer.ts'
import { SentPermits } from '../bytes/sent-permits.ts'

/** How a zip is called where calls are counted. */
export const ZIP_LABEL = 'zip'

interface Parts {
  readonly app: App
  /** At whose expense it is. */
  readonly subject: string
  readonly requestId: string
}

/** What one zip takes of limits, and of which images it is. */
export class ZipCall extends SentPermits {
  readonly #parts: Parts
  /** Bytes handed over, by the hash of the image that they are of; the last is under way. */
  readonly #byObject: { readonly sha256: string; bytes: number }[] = []

  constructor(parts: Parts) {
    super(parts)
    this.#parts = parts
  }

  /** At whose expense the store is asked for an image. */
  payerFor(sha256: string): Payer {
    return { procedure: ZIP_LABEL, subject: this.#parts.subject, object: sha256 }
  }

  /** The refusing decision, or null; `bytes` are about to leave. Throws CostAboveLimit. */
  takeFor(requests: readonly LimitRequest[], signal: AbortSignal, bytes?: number): Promise<Decision | null> {
    return this.take(requests, { label: ZIP_LABEL, signal }, bytes)
  }

  /** What is handed over from now on is of this image. */
  sends(sha256: string): void {
    this.#byObject.push({ sha256, bytes: 0 })
  }

  override hand(bytes: number): void {
    super.hand(bytes)
    const last = this.#byObject.at(-1)
    if (last) last.bytes += bytes
  }

  protected override sent(bytes: number): void {
    let rest = bytes
    for (const { sha256, bytes } of this.#byObject) {
      const own = Math.min(bytes, rest)
      rest -= own
      if (own > 0) this.#parts.app.usage.sent(this.payerFor(sha256), sha256, own)
    }
  }
}
