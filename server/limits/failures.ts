import type { LimitRequest } from './charges.ts'
import type { Decision } from './decision.ts'
import type { Limiter } from './limiter.ts'

/** Limits of what fails, where many right requests at once must not stand in each other's way: these take nothing, not even
 *  while it is not known yet how they end. So many wrong ones as are under way at once may pass beyond the limit. */
export class Failures {
  readonly #limiter: Limiter
  readonly #requests: readonly LimitRequest[]
  readonly #label: string

  constructor(limiter: Limiter, request: LimitRequest, label: string) {
    this.#limiter = limiter
    this.#requests = [request]
    this.#label = label
  }

  /** Why nothing more is tried, after so many failures; null where something may be. */
  async refusal(): Promise<Decision | null> {
    if ((await this.#limiter.peek(this.#requests)).allowed) return null
    // What only looks is counted nowhere, and its refusals are to be seen.
    const permit = await this.#limiter.reserve(this.#requests, { label: this.#label })
    await permit.end('succeeded')
    return permit.decision.allowed ? null : permit.decision
  }

  /** It has failed: why this is one too many, or null. */
  async count(): Promise<Decision | null> {
    const permit = await this.#limiter.reserve(this.#requests, { label: this.#label })
    await permit.end('failed')
    return permit.decision.allowed ? null : permit.decision
  }
}
