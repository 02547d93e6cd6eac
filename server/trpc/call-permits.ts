import type { TRPCError } from '@trpc/server'
import type { z } from 'zod'
import { tokenRequests } from '#server/accounts/tokens/token-limits.ts'
import { isUnlimited } from '#server/accounts/viewer.ts'
import { refuse } from '#server/errors/refuse.ts'
import { CostAboveLimit, InvalidCost, type LimitRequest } from '#server/limits/charges.ts'
import { type Decision, type RuleReport, UNLIMITED } from '#server/limits/decision.ts'
import type { Permit } from '#server/limits/permit.ts'
import { preferredWaitMs } from '#server/limits/prefer.ts'
import { type CompiledRuleSet, usesInput, withoutInput } from '#server/limits/rules/compiled.ts'
import type { DeclaredRoute } from '#server/limits/rules/declared-route.ts'
import { TooManyValues } from '#server/limits/rules/input-path.ts'
import type { Context } from './context.ts'
import { compiledFor, type Meta, tooManyRequests } from './limit.ts'

interface Call {
  readonly path: string
  readonly signal: AbortSignal | undefined
}

/**
 * The permits of one call, from before its work to its end. A call that is refused at any point is charged nothing, and
 * gets a refund of what it was charged before.
 */
export class CallPermits {
  readonly #ctx: Context
  readonly #call: Call
  #permits: readonly Permit[] = []
  /** Whether the statistics already include the call. */
  #isCounted = false
  /** Milliseconds that the call has waited for its permits so far. */
  #waitedMs = 0

  constructor(ctx: Context, call: Call) {
    this.#ctx = ctx
    this.#call = call
  }

  /**
   * Takes permits of the sets that the procedure declares. The input is parsed first only if a set counts it. Invalid
   * input is charged to all other sets, and refused by the procedure's own parser afterwards.
   */
  async takeDeclared(meta: Meta, getRawInput: () => Promise<unknown>): Promise<Decision> {
    const { path } = this.#call
    const added = this.#ctx.app.limiter.addedTo(path)
    if (meta.limits === 'none' && !added) return UNLIMITED
    const declared = meta.limits === 'none' ? [] : compiledFor(path, meta.limits)
    const sets = this.#ctx.form?.holdsPlace ? withoutPlaces(declared) : declared
    const byToken = (cost = 1) => tokenRequests(this.#ctx.viewer, meta.scope, cost)
    const schema = added && usesInput(added) ? this.#ctx.app.limitAdmin.inputOf(path) : declaredInput(meta, sets)
    const own = { procedure: path, sets }
    if (!schema) return this.#take(own, byToken())
    const parsed = await parseInput(schema, getRawInput)
    if (!parsed) return this.#take({ ...own, sets: withoutInput(sets) }, byToken())
    return this.#take({ ...own, input: parsed.data }, byToken(countCalls(sets, parsed.data)))
  }

  /** Takes a permit of the token's own set, for a call that the token may never make: its owner's sets are left alone. */
  async takeOfToken(): Promise<void> {
    await this.#take({ sets: [] }, tokenRequests(this.#ctx.viewer))
  }

  /** Takes permits of a step during the work. */
  take({ sets, label: procedure }: DeclaredRoute): Promise<Decision> {
    return this.#take({ procedure, sets })
  }

  /** Takes what a caller other than the call's is charged as well, such as a share. */
  takeFor(requests: readonly LimitRequest[]): Promise<Decision> {
    return this.#take({ sets: [] }, requests)
  }

  /** Takes as many permits of a step as its sets have, up to `most`; resolves with the number of calls that they allow. */
  async takeUpTo({ sets, label: procedure }: DeclaredRoute, most: number): Promise<number> {
    const { app, caller, viewer, decisions } = this.#ctx
    const { path: label, signal } = this.#call
    // Getting fewer permits does not refuse the call.
    const options = { label, signal, waitMs: this.#waitMs, countsCall: 'never' } as const
    if (isUnlimited(viewer)) {
      app.limiter.free(label, sets, 'never')
      return most
    }
    for (let cost = most; cost > 0; ) {
      try {
        const permit = await app.limiter.reserve([{ procedure, sets, caller, cost }], options)
        const { allowed, rules, refusedBy, waitedMs } = permit.decision
        this.#waitedMs += waitedMs
        if (allowed) {
          decisions.push(permit.decision)
          this.#permits = [...this.#permits, permit]
          return cost
        }
        // Other sets that lack permits do not refuse (they degrade or are in shadow mode), or will in the next round.
        const refusing = rules.filter(({ ruleSet }) => ruleSet === refusedBy?.ruleSet)
        cost = Math.min(cost - 1, ...refusing.map(({ remaining }) => remaining))
      } catch (error) {
        if (!(error instanceof CostAboveLimit)) throw this.#toCallerError(error) ?? error
        cost = Math.min(cost - 1, error.limit)
      }
    }
    return 0
  }

  /** Settles the call at the bytes actually moved, in place of those it declared. */
  async settle(bytes: number): Promise<void> {
    await this.#amend((permit) => permit.settle(bytes))
  }

  /** Refuses the call by a rule in degrade mode that lacked permits, where there is no cheaper answer. */
  async refuseBy(rule: RuleReport): Promise<never> {
    const { app, decisions, requestId } = this.#ctx
    const lacking = this.#permits.find(({ decision }) => decision.degradedBy === rule)
    await this.#refund()
    const retryAfterMs = Math.max(1, rule.resetMs)
    const decision: Decision = {
      ...UNLIMITED,
      allowed: false,
      refusedBy: rule,
      retryAfterMs,
      rules: [rule],
      decidedBy: 'store',
    }
    decisions.push(decision)
    if (lacking) {
      app.limitAdmin.refusals.note({ decision, receipt: lacking.receipt }, { label: this.#call.path, requestId })
    }
    throw tooManyRequests(decision)
  }

  /** Charges what the call's sets add for abuse. */
  async penalize(): Promise<void> {
    const { limiter } = this.#ctx.app
    await this.#amend((permit) => limiter.penalize(permit, this.#call.path))
  }

  /** Ends the call's permits. A fault of the server does not count as a failure of its caller. */
  async end(error: TRPCError | null): Promise<void> {
    const outcome = error && !FAULTS.has(error.code) ? 'failed' : 'succeeded'
    await this.#amend((permit) => permit.end(outcome))
  }

  async #take(
    charged: Pick<LimitRequest, 'procedure' | 'sets' | 'input'>,
    byOthers: readonly LimitRequest[] = [],
  ): Promise<Decision> {
    const { app, caller, viewer, decisions, requestId } = this.#ctx
    if (isUnlimited(viewer)) {
      decisions.push(app.limiter.free(this.#call.path, charged.sets, this.#isCounted ? 'never' : 'always'))
      this.#isCounted = true
    }
    const own = isUnlimited(viewer) ? [] : [{ ...charged, caller, bytes: declaredBytes(this.#ctx) }]
    const requests = [...own, ...byOthers]
    if (requests.length === 0) return UNLIMITED
    const { path: label, signal } = this.#call
    const countsCall = this.#isCounted ? 'if-refused' : 'always'
    this.#isCounted = true
    const options = { label, signal, waitMs: this.#waitMs, countsCall, requestId } as const
    const permit = await app.limiter.reserve(requests, options).catch((error: unknown) => {
      throw this.#toCallerError(error) ?? error
    })
    this.#waitedMs += permit.decision.waitedMs
    decisions.push(permit.decision)
    const refusal = tooManyRequests(permit.decision)
    if (refusal) {
      await this.#refund()
      throw refusal
    }
    this.#permits = [...this.#permits, permit]
    return permit.decision
  }

  /** What is left of the wait that the client prefers; undefined if it leaves that to the sets. */
  get #waitMs(): number | undefined {
    const preferredMs = preferredWaitMs(this.#ctx.header('prefer'))
    return preferredMs && Math.max(0, preferredMs - this.#waitedMs)
  }

  /** Also removes the refunded decisions from the answer's headers. */
  async #refund(): Promise<void> {
    const { decisions } = this.#ctx
    for (const { decision } of this.#permits) decisions.splice(decisions.indexOf(decision), 1)
    await this.#amend((permit) => permit.refund())
    this.#permits = []
  }

  /** Applies a change to all permits. A failure is logged but fails no call; too much stays counted then. */
  async #amend(change: (permit: Permit) => Promise<void> | null): Promise<void> {
    const changes = this.#permits.flatMap((permit) => change(permit) ?? [])
    if (changes.length === 0) return
    for (const result of await Promise.allSettled(changes)) {
      if (result.status === 'rejected') {
        const { app, requestId } = this.#ctx
        app.logFailure({ requestId, path: this.#call.path, err: result.reason }, 'could not refund or end a permit')
      }
    }
  }

  #toCallerError(error: unknown): TRPCError | null {
    if (error instanceof CostAboveLimit || error instanceof TooManyValues)
      return refuse('call-too-large', { problem: error.message })
    if (error instanceof InvalidCost) return refuse('call-without-cost', { problem: error.message })
    if (this.#call.signal?.aborted) return refuse('client-gone')
    return null
  }
}

const FAULTS: ReadonlySet<TRPCError['code']> = new Set(['INTERNAL_SERVER_ERROR', 'SERVICE_UNAVAILABLE'])

/** Returns the schema that declared sets count or compute their cost by; undefined if none looks at the input. */
const declaredInput = (meta: Meta, sets: readonly CompiledRuleSet[]): z.ZodType | undefined =>
  meta.limits !== 'none' && usesInput(sets) ? meta.input : undefined

/** Returns the sets that do not limit concurrent calls. */
const withoutPlaces = (sets: readonly CompiledRuleSet[]): readonly CompiledRuleSet[] =>
  sets.filter(({ algorithm }) => algorithm !== 'concurrency')

/** Returns how many calls a call counts as, if its cost depends on its input. A token is charged as many. */
function countCalls(sets: readonly CompiledRuleSet[], input: unknown): number {
  const costs = sets.map(({ facts: { cost, unit } }) =>
    unit === 'calls' && typeof cost === 'function' ? cost(input) : 1,
  )
  return Math.max(1, ...costs)
}

/** Returns the parsed input; null if it cannot be read or parsed. */
async function parseInput(schema: z.ZodType, read: () => Promise<unknown>) {
  const parsed = await read().then(
    (raw) => schema.safeParseAsync(raw),
    () => null,
  )
  return parsed?.success ? parsed : null
}

/** Returns the stated size of the body; without one, the maximum. More than that is not accepted. */
function declaredBytes({ header, app }: Context): number {
  const { maxUploadBytes } = app.site.read()
  const stated = Number(header('content-length') ?? maxUploadBytes)
  return Math.min(maxUploadBytes, Math.max(1, stated))
}
