import { vi } from 'vitest'
import { chargesOf, type LimitRequest } from '#server/limits/charges.ts'
import { SoloFleet } from '#server/limits/fleet/fleet.ts'
import { Returns } from '#server/limits/returns.ts'
import type { RuleSet } from '#server/limits/rule-set.ts'
import { compileRuleSets } from '#server/limits/rules/compile.ts'
import type { LimitStore, Operation } from '#server/limits/store.ts'
import { MemoryStore } from '#server/limits/stores/memory/memory-store.ts'
import type { WaitingLimits } from '#server/limits/waiting/waiters.ts'
import { WaitingRoom } from '#server/limits/waiting/waiting-room.ts'

/** The fake clock that `stopTime` sets. */
export const clock = { now: () => Date.now() }

/** Sets the time to 0 until the test advances it. */
export function stopTime(): void {
  vi.useFakeTimers({ now: 0, toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] })
}

/** Advances the time to the instant `at` and runs everything that is due. */
export async function until(at: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(at - clock.now())
}

/** Runs everything that is due now. */
export function settle(): Promise<void> {
  return until(clock.now())
}

/** A set of `limit` calls per second, with `wait`. */
export function perSecond(limit: number, more: Partial<RuleSet> = {}): readonly RuleSet[] {
  return [{ name: 'set', by: 'user', rules: [{ limit, window: '1s' }], wait: '10s', ...more }]
}

const ANN = { address: '192.0.2.1', userId: 'ann', shared: false }

/** The charges of a call by Ann. */
export function chargesOfCall(lease: string, sets: readonly RuleSet[], request: Partial<LimitRequest> = {}) {
  return chargesOf([{ sets: compileRuleSets('call', sets), caller: ANN, ...request }], {
    now: clock.now(),
    aheadMs: 0,
    lease: () => lease,
  })
}

type Work = (operation: Operation) => Promise<unknown>

/** An in-process store that records operations, and can be delayed. */
function watchedStore() {
  const memory = new MemoryStore(clock)
  const calls: Operation['type'][] = []
  const work: { before: Work; after: Work } = { before: async () => {}, after: async () => {} }
  const store: LimitStore = {
    apply: async (operation) => {
      calls.push(operation.type)
      await work.before(operation)
      const receipt = memory.apply(operation)
      await work.after(operation)
      return receipt
    },
    close: () => memory.close(),
  }
  return { store, memory, calls, work }
}

/** A waiting room over a recording store, with a log of the outcomes of its calls. */
export function watchedRoom(options: WaitingLimits & { readonly jitterMs?: () => number } = {}) {
  const { store: watched, ...watching } = watchedStore()
  const returns = new Returns(new SoloFleet())
  const store = returns.around(watched)
  const room = new WaitingRoom({ clock, store, returns, ...options })
  const log: string[] = []
  const call = async (
    name: string,
    sets: readonly RuleSet[],
    request?: Partial<LimitRequest> & { readonly waitMs?: number },
    signal?: AbortSignal,
  ) => {
    try {
      const { waitMs, ...asked } = request ?? {}
      const caller = asked.caller ?? ANN
      const permit = await room.admit(chargesOfCall(name, sets, asked), [{ sets: [], caller }], { signal, waitMs })
      const { allowed, waitedMs, retryAfterMs } = permit.decision
      log.push(`${clock.now()} ${name} ${allowed ? `passed after ${waitedMs}` : `refused for ${retryAfterMs}`}`)
      return permit
    } catch (error) {
      log.push(`${clock.now()} ${name} ${error instanceof Error ? error.message : error}`)
      throw error
    }
  }
  /** Makes a call without awaiting it. */
  const start = (...args: Parameters<typeof call>) => void call(...args).catch(() => {})
  return { ...watching, store, room, log, call, start }
}
