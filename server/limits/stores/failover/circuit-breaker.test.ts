import { beforeEach, expect, test, vi } from 'vitest'
import { charge } from '../../../../testing/limits/charges.ts'
import type { LimitStore, Operation, Receipt } from '../../store.ts'
import { MemoryStore } from '../memory/memory-store.ts'
import { CircuitBreaker } from './circuit-breaker.ts'
import { FailoverStore } from './failover-store.ts'

const ANSWER: Receipt = { charges: [], lines: [], answeredBy: 'store' }
const take: Operation = { type: 'take', charges: [charge('{a}', [[10, 60_000]])] }
const isProbe = ({ charges }: Operation) => charges.some(({ key }) => key.includes('probe'))

beforeEach(() => void vi.useFakeTimers({ now: 0 }))

/** A store that answers when the test says so, with its calls and its probes. */
function scene() {
  const asked: { readonly at: number; readonly isProbe: boolean; readonly answer: PromiseWithResolvers<Receipt> }[] = []
  const log: string[] = []
  const clock = { now: () => Date.now() }
  const store: LimitStore = {
    apply: (operation) => {
      const answer = Promise.withResolvers<Receipt>()
      asked.push({ at: Date.now(), isProbe: isProbe(operation), answer })
      return answer.promise
    },
    close: async () => {},
  }
  const breaker = new CircuitBreaker(store, clock, ({ type }) => log.push(`${Date.now()} ${type}`))
  const failover = new FailoverStore(store, breaker, new MemoryStore(clock), () => 1)
  /** Who answers a call. */
  const decide = async () => (await failover.apply(take)).answeredBy
  const last = () => {
    const found = asked.at(-1)
    if (!found) throw new Error('nothing was asked')
    return found.answer
  }
  /** A call that the store leaves unanswered for its whole deadline. */
  const hang = async () => {
    const decided = decide()
    const { reject } = last()
    setTimeout(() => reject(new Error('late')), 100)
    await vi.advanceTimersByTimeAsync(100)
    return decided
  }
  return { asked, log, breaker, failover, decide, last, hang }
}

test('opens at the first failure: no call asks or waits until one probe a second later', async () => {
  const { asked, breaker, decide, hang } = scene()
  expect(await hang()).toBe('local')
  expect(breaker.isFailing).toBe(true)
  for (let i = 0; i < 100; i += 1) expect(await decide()).toBe('local')
  await vi.advanceTimersByTimeAsync(999)
  expect(asked).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(asked.map(({ at, isProbe }) => [at, isProbe])).toEqual([
    [0, false],
    [1_100, true],
  ])
})

test('while a probe is under way no caller waits for it, and none is sent beside it', async () => {
  const { asked, breaker, decide, hang, last, log } = scene()
  await hang()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(await decide()).toBe('local')
  await breaker.probe()
  expect(asked.filter(({ isProbe }) => isProbe)).toHaveLength(1)
  last().resolve(ANSWER)
  await vi.advanceTimersByTimeAsync(0)
  expect(breaker.isFailing).toBe(false)
  expect(log).toEqual(['100 degraded', '5100 recovered'])
})

test('one probe decides: a second after one that failed comes the next', async () => {
  const { asked, breaker, decide, hang, last } = scene()
  await hang()
  for (const at of [1_100, 2_100, 3_100]) {
    await vi.advanceTimersByTimeAsync(at - Date.now())
    expect(asked.at(-1)?.at).toBe(at)
    last().reject(new Error('gone'))
    await vi.advanceTimersByTimeAsync(0)
    expect(breaker.isFailing).toBe(true)
  }
  await vi.advanceTimersByTimeAsync(1_000)
  last().resolve(ANSWER)
  await vi.advanceTimersByTimeAsync(0)
  expect(breaker.isFailing).toBe(false)
  const decided = decide()
  last().resolve(ANSWER)
  expect(await decided).toBe('store')
})

test('a store that answers probes and hangs calls has one call wait in a second, however often its health is asked', async () => {
  const { asked, breaker, decide, hang, last } = scene()
  for (let round = 0; round < 5; round += 1) {
    expect(await hang()).toBe('local')
    for (let i = 0; i < 10; i += 1) {
      await breaker.probe()
      await vi.advanceTimersByTimeAsync(99)
      expect(await decide()).toBe('local')
    }
    await vi.advanceTimersByTimeAsync(10)
    last().resolve(ANSWER)
    await vi.advanceTimersByTimeAsync(0)
  }
  expect(asked.filter(({ isProbe }) => !isProbe).map(({ at }) => at)).toEqual([0, 1_100, 2_200, 3_300, 4_400])
})

test('what was asked before an outage does not end it, and before its end begins no other', async () => {
  const { breaker, decide, last, log } = scene()
  const health = breaker.probe()
  const healthy = last()
  const first = decide()
  const failing = last()
  const second = decide()
  const late = last()
  failing.reject(new Error('gone'))
  expect(await first).toBe('local')
  healthy.resolve(ANSWER)
  await health
  expect(breaker.isFailing).toBe(true)
  await vi.advanceTimersByTimeAsync(1_000)
  last().resolve(ANSWER)
  await vi.advanceTimersByTimeAsync(0)
  late.reject(new Error('gone'))
  expect(await second).toBe('local')
  expect([breaker.isFailing, log]).toEqual([false, ['0 degraded', '1000 recovered']])
})

test('notifies listeners when the store is used again', async () => {
  const { breaker, hang, last } = scene()
  const recovered = vi.fn()
  breaker.onRecovered(recovered)
  await hang()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(recovered).not.toHaveBeenCalled()
  last().resolve(ANSWER)
  await vi.advanceTimersByTimeAsync(0)
  expect(recovered).toHaveBeenCalledOnce()
})

test('one that is closed fails, asks nothing, and stays so', async () => {
  const { asked, breaker, failover, decide } = scene()
  await failover.close()
  expect([breaker.isFailing, await decide(), await breaker.probe()]).toEqual([true, 'local', undefined])
  expect(asked).toEqual([])
})
