import type { LimitRequest } from './charges.ts'
import type { Decision } from './decision.ts'
import type { Limiter } from './limiter.ts'
import type { Declared } from './rules/names.ts'
import type { AnyCaller } from './subject.ts'

/** Limits failed attempts, such as wrong tokens, without making concurrent valid ones wait for each other: an attempt
 *  takes nothing until it is known to have failed. Concurrent wrong attempts may therefore exceed the limit by their
 *  number. */
export class Failures {
  readonly #limiter: Limiter
  readonly #requests: readonly LimitRequest[]
  readonly #label: string

  constructor(limiter: Limiter, { label, sets }: Declared, caller: AnyCaller) {
    this.#limiter = limiter
    this.#requests = [{ procedure: label, sets, caller }]
    this.#label = label
  }

  /** Returns the refusal when there were too many failures already; null when another attempt may be made. */
  async refusal(): Promise<Decision | null> {
    if ((await this.#limiter.peek(this.#requests)).allowed) return null
    // A peek is in no statistics, but the refusal should be, so it is repeated as a reservation.
    const permit = await this.#limiter.reserve(this.#requests, { label: this.#label })
    await permit.end('succeeded')
    return permit.decision.allowed ? null : permit.decision
  }

  /** Counts a failed attempt. The decision refuses when it was one too many. */
  async count(): Promise<Decision> {
    const permit = await this.#limiter.reserve(this.#requests, { label: this.#label })
    await permit.end('failed')
    return permit.decision
  }
}
