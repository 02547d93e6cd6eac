import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import type { Decision } from '#server/limits/decision.ts'
import { createLimiter, type Limiter } from '#server/limits/limiter.ts'
import { compileRuleSets } from '#server/limits/rules/compile.ts'
import { createFleet } from './fleet.ts'

const PROCESSES = 2
const CALLERS = 4
/** The limit of the shared set: half of it is taken before the fault, and as much as possible from then on. */
const LIMIT = 100
const DECIDE_WITHIN_MS = 150
const RECOVER_WITHIN_MS = 5_000

const once = compileRuleSets('once', [{ by: 'user', rules: [{ limit: 5, window: '1h' }] }])
/** One key for all callers. */
export const all = compileRuleSets('all', [{ by: 'site', rules: [{ limit: LIMIT, window: '1h' }] }])
const signIn = compileRuleSets('sign-in', [
  { by: 'user', rules: [{ limit: 1_000_000, window: '1h' }], onStoreFailure: 'deny' },
])
const flooded = compileRuleSets('flooded', [{ by: 'user', rules: [{ limit: 1, window: '1h' }] }])

/** The outcomes of the calls during a fault. */
export interface FaultReport {
  readonly decided: Readonly<Record<Decision['decidedBy'], number>>
  readonly errors: number
  /** In milliseconds. */
  readonly slowestMs: number
  /** Decisions that were pending when a timer of 150 ms that was set when they were sent fired. */
  readonly late: number
  /** Milliseconds from the fault's end until the last limiter used Redis again. */
  readonly backAfterMs: number
  /** Calls that passed one limit before, during and after the fault; the limit; and the most that may pass. */
  readonly admitted: number
  readonly limit: number
  readonly bound: number
  /** Calls that Redis counted more than once, and those that it decided without counting. */
  readonly chargedTwice: number
  readonly uncounted: number
  /** Sign-ins refused by policy, and how many of them stated no wait. */
  readonly denied: number
  readonly withoutWait: number
}

/** A Redis as limiters reach it, and as the test does. */
interface LoadScene {
  readonly url: string
  readonly redis: { readonly url: string }
  readonly admin: { flushall(): Promise<unknown> }
}

interface Fault<Scene> {
  /** Whether Redis loses its counts. */
  readonly forgets?: boolean
  begin(scene: Scene): unknown
  end(scene: Scene): unknown
}

/** Lets two limiters share Redis under load while it fails for `heldMs`, and returns what they did. */
export async function runFault<Scene extends LoadScene>(
  scene: Scene,
  fault: Fault<Scene>,
  heldMs: number,
): Promise<FaultReport> {
  await scene.admin.flushall()
  const limiters = createFleet(PROCESSES).map((fleet) => createLimiter({ redisUrl: scene.url, fleet }))
  const load = new Load()
  try {
    await Promise.all(limiters.map((limiter) => limiter.check()))
    await untilReady(limiters)
    for (let i = 0; i < LIMIT / 2; i += 1) await load.take(limiters[i % PROCESSES], all, 'site')
    const callers = limiters.flatMap((limiter) => Array.from({ length: CALLERS }, () => load.run(limiter)))
    await wait(100)
    await fault.begin(scene)
    load.isFailing = true
    await wait(heldMs)
    const ended = performance.now()
    await fault.end(scene)
    await untilReady(limiters)
    const backAfterMs = performance.now() - ended
    await wait(100)
    load.stop()
    await Promise.all(callers)
    // What is left of the limit in Redis passes too.
    for (const limiter of limiters) while ((await load.take(limiter, all, 'site'))?.allowed);
    // The limit in Redis, all shares of the processes during the fault, and the limit again in a Redis that has lost its data.
    const bound = LIMIT + PROCESSES * Math.floor(LIMIT / PROCESSES) + (fault.forgets ? LIMIT : 0)
    return { ...load.report(), ...(await recounted(scene, load, fault)), backAfterMs, limit: LIMIT, bound }
  } finally {
    load.stop()
    await Promise.all(limiters.map((limiter) => limiter.close()))
  }
}

async function untilReady(limiters: readonly Limiter[]): Promise<void> {
  const deadline = performance.now() + 2 * RECOVER_WITHIN_MS
  while (limiters.some((limiter) => limiter.status() !== 'ready') && performance.now() < deadline) await wait(5)
}

/** Makes calls of four kinds in rotation, and records the decisions. */
class Load {
  /** Who decided each call that has its own subject. */
  readonly once = new Map<string, Decision['decidedBy']>()
  readonly #decided = { store: 0, local: 0, cache: 0, policy: 0, block: 0 }
  /** When callers begin to take from the shared set. */
  isFailing = false
  #counts = { errors: 0, slowestMs: 0, late: 0, admitted: 0, denied: 0, withoutWait: 0 }
  #calls = 0
  #isStopped = false

  async run(limiter: Limiter): Promise<void> {
    while (!this.#isStopped) {
      this.#calls += 1
      const call = `call-${this.#calls}`
      const decision = await this.take(limiter, once, call)
      if (decision) this.once.set(call, decision.decidedBy)
      if (this.isFailing) await this.take(limiter, all, 'site')
      const refused = await this.take(limiter, signIn, 'ann')
      if (refused?.decidedBy === 'policy') {
        this.#counts.denied += 1
        if (refused.retryAfterMs <= 0) this.#counts.withoutWait += 1
      }
      await this.take(limiter, flooded, 'flood')
      await wait(1)
    }
  }

  stop(): void {
    this.#isStopped = true
  }

  report() {
    return { decided: this.#decided, ...this.#counts }
  }

  async take(limiter: Limiter | undefined, sets: typeof all, subject: string): Promise<Decision | null> {
    if (!limiter) return null
    const start = performance.now()
    let isDecided = false
    // Calls are sent at the end of this turn, in which a busy machine may not run this process for a long time.
    const late = nextTurn()
      .then(() => wait(DECIDE_WITHIN_MS, null, { ref: false }))
      .then(nextTurn)
      .then(nextTurn)
    void late.then(() => {
      if (!isDecided) this.#counts.late += 1
    })
    try {
      const decision = await limiter.take(sets, { subject })
      this.#decided[decision.decidedBy] += 1
      if (sets === all && decision.allowed) this.#counts.admitted += 1
      return decision
    } catch {
      this.#counts.errors += 1
      return null
    } finally {
      isDecided = true
      this.#counts.slowestMs = Math.max(this.#counts.slowestMs, performance.now() - start)
    }
  }
}

/** How often Redis has counted each call that has its own subject. */
async function recounted({ redis }: LoadScene, load: Load, { forgets }: { readonly forgets?: boolean }) {
  const direct = createLimiter({ redisUrl: redis.url, deadlineMs: 20_000 })
  const used = await Promise.all(
    [...load.once].map(async ([subject, decidedBy]) => {
      const { rules } = await direct.peek([{ sets: once, caller: { subject } }])
      return { decidedBy, used: 5 - (rules[0]?.remaining ?? 0) }
    }),
  )
  await direct.close()
  return {
    chargedTwice: used.filter((call) => call.used > 1).length,
    uncounted: forgets ? 0 : used.filter((call) => call.decidedBy === 'store' && call.used === 0).length,
  }
}
