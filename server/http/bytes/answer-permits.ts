import type { ServerResponse } from 'node:http'
import { CostAboveLimit, type LimitRequest } from '#server/limits/charges.ts'
import type { Decision } from '#server/limits/decision.ts'
import type { Permit } from '#server/limits/permit.ts'
import { preferredWaitMs } from '#server/limits/prefer.ts'
import type { CompiledRuleSet } from '#server/limits/rules/compiled.ts'
import { type Caller, subjectOf } from '#server/limits/subject.ts'
import type { Services } from '#server/services.ts'
import type { Payer } from '#server/storage/payer.ts'
import type { Lane } from '#server/turns/lanes.ts'
import { networkLane } from '#server/turns/network-lane.ts'
import { ClientGone } from '../client-gone.ts'
import { ABOVE_EVERY_LIMIT, planRefusal, type TextPlan } from './answer-plan.ts'
import { Transfer } from './transfer.ts'

interface Parts {
  readonly app: Services
  /** The label that the call is counted under. */
  readonly label: string
  readonly caller: Caller
  readonly requestId: string
  /** Called with each decision, and the bytes that it is about. */
  readonly onDecision?: (decision: Decision, bytes: number) => void
}

/**
 * The permits of one answer. Bytes are charged before the head that promises them, and settled when the response ends,
 * by what was read for the client, whether it took that or disconnected. Permits granted after that are refunded.
 */
export class AnswerPermits {
  /** Counts the written bytes of the answer. */
  readonly transfer = new Transfer()
  readonly #parts: Parts
  #permits: readonly Permit[]
  /** The decision about a call that these sets do not limit. */
  #exemption: Decision | null = null
  /** Whether the statistics already include the call. */
  #isCounted: boolean
  #lane: Lane | undefined
  #reserved: number
  #hasEnded = false
  /** How long the client is willing to wait; undefined if it leaves that to the sets. */
  #waitMs: number | undefined

  /** `permit` holds what the call has already been charged, and `bytes` how many of it are bytes. */
  constructor(parts: Parts, permit: Permit | null = null, bytes = 0) {
    this.#parts = parts
    this.#permits = permit ? [permit] : []
    this.#isCounted = permit !== null
    this.#reserved = bytes
  }

  /** The decisions so far, for the headers of the answer. */
  get decisions(): readonly Decision[] {
    const decisions = this.#permits.map(({ decision }) => decision)
    return this.#exemption ? [this.#exemption, ...decisions] : decisions
  }

  /** Whose turn a part of a large answer takes. */
  get lane(): Lane {
    this.#lane ??= networkLane(this.#parts.caller.address)
    return this.#lane
  }

  /** The payer of requests to the store, and the image they are for. */
  get payer(): Payer {
    const { label, caller } = this.#parts
    return { procedure: label, subject: subjectOf('subject', caller), object: this.transfer.object }
  }

  /** Ends the permits with the response. Call it before anything is charged except what the constructor was given. */
  endWith(res: ServerResponse): void {
    const { prefer } = res.req.headers
    if (prefer !== undefined) this.#waitMs = preferredWaitMs(prefer.toString())
    // `once` would only cost more: a response closes a single time.
    if (!res.closed) return void res.on('close', () => this.#end(res))
    this.#hasEnded = true
    this.#inBackground(this.#giveBack())
  }

  /** Counts a call that these sets do not limit. */
  exempt(sets: readonly CompiledRuleSet[]): void {
    const { app, label } = this.#parts
    this.#exemption = app.limiter.free(label, sets)
    this.#isCounted = true
  }

  /**
   * Charges the call. Returns the refusal, which has charged nothing, or null. Throws ClientGone if the client has
   * disconnected.
   */
  charge(requests: readonly LimitRequest[], signal: AbortSignal): Promise<TextPlan | null> {
    return this.#charge(requests, signal, 0)
  }

  /**
   * Charges `bytes` that are about to be sent, unless they were charged with the call. Returns and throws as `charge`
   * does.
   */
  async chargeBytes(requests: readonly LimitRequest[], bytes: number, signal: AbortSignal): Promise<TextPlan | null> {
    return this.#reserved > 0 || bytes === 0 ? null : this.#charge(requests, signal, bytes)
  }

  /** Charges what the call's sets add for abuse, in the background: the answer does not depend on it. */
  penalize(): void {
    const { app, label } = this.#parts
    for (const permit of this.#permits) this.#inBackground(app.limiter.penalize(permit, label))
  }

  async #charge(requests: readonly LimitRequest[], signal: AbortSignal, bytes: number): Promise<TextPlan | null> {
    try {
      const refused = await this.#take(requests, signal, bytes)
      return refused && planRefusal(refused)
    } catch (error) {
      if (error instanceof CostAboveLimit) return ABOVE_EVERY_LIMIT
      throw error
    }
  }

  async #take(requests: readonly LimitRequest[], signal: AbortSignal, bytes: number): Promise<Decision | null> {
    if (requests.length === 0) return null
    const { app, label, onDecision } = this.#parts
    const countsCall = this.#isCounted ? 'if-refused' : 'always'
    this.#isCounted = true
    const permit = await app.limiter.reserve(requests, { label, signal, waitMs: this.#waitMs, countsCall })
    this.#permits = [...this.#permits, permit]
    onDecision?.(permit.decision, bytes)
    if (permit.decision.allowed && !this.#hasEnded) {
      this.#reserved += bytes
      return null
    }
    await this.#giveBack()
    if (this.#hasEnded) throw new ClientGone('the client has left')
    return permit.decision
  }

  #end(res: ServerResponse): void {
    this.#hasEnded = true
    const { transfer } = this
    if (res.writableFinished) transfer.markLeft()
    this.#countUsage()
    const bytes = transfer.charged
    const outcome = res.statusCode >= 400 && res.statusCode < 500 ? 'failed' : 'succeeded'
    for (const permit of this.#permits) {
      this.#inBackground(bytes === this.#reserved ? permit.end(outcome) : settleAndEnd(permit, bytes, outcome))
    }
  }

  /**
   * Counts a call for one image even if no byte of it was sent. Of a zip, counts the images that the client received
   * bytes of.
   */
  #countUsage(): void {
    const { usage } = this.#parts.app
    for (const [index, { image, bytes }] of this.transfer.byImage().entries())
      if (bytes > 0 || index === 0) usage.sent(this.payer, image, bytes)
  }

  /** Refunds everything that has not ended. */
  async #giveBack(): Promise<void> {
    const taken = this.#permits
    this.#permits = []
    for (const permit of taken) await permit.refund()
  }

  #inBackground(work: Promise<void> | null): void {
    work?.catch((error: unknown) => {
      const { app, requestId } = this.#parts
      app.logFailure({ requestId, err: error }, 'could not end a permit')
    })
  }
}

/** The decisions about an answer, with that about a wrong token. */
export const allOf = ({ decisions }: AnswerPermits, tokenDecision: Decision | null): readonly Decision[] =>
  tokenDecision ? [...decisions, tokenDecision] : decisions

async function settleAndEnd(permit: Permit, bytes: number, outcome: 'succeeded' | 'failed'): Promise<void> {
  await permit.settle(bytes)
  await permit.end(outcome)
}
