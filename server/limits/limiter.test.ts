import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { refusalOf } from './describe.ts'
import { createLimiter } from './limiter.ts'
import { compileRuleSets } from './rules/compile.ts'

const downloads = compileRuleSets('image.download', [
  {
    name: 'download',
    by: 'subject',
    rules: [
      { limit: 2, window: '1s' },
      { limit: 3, window: '1m' },
    ],
  },
])
const user = { address: '192.0.2.1', userId: 'ann', shared: false }

function limiterAt() {
  const clock = { time: 0, now: () => clock.time }
  return { clock, limiter: createLimiter({ clock }) }
}

describe('in process', () => {
  test('resets a set whose cost depends on an input that is not available then', async () => {
    const { limiter } = limiterAt()
    const cost = ({ ids }: { readonly ids: readonly string[] }) => ids.length
    const sets = compileRuleSets('list', [{ name: 'list', by: 'user', cost, rules: [{ limit: 3, window: '1m' }] }])
    const request = { sets, caller: user, input: { ids: ['a', 'b'] } }
    await limiter.reserve([request])
    expect((await limiter.peek([request])).allowed).toBe(false)
    await limiter.reset([{ sets, caller: user }])
    expect((await limiter.peek([request])).allowed).toBe(true)
  })

  test.each(['sliding-window-log', 'fixed-window', 'sliding-window-counter', 'token-bucket', 'leaky-bucket'] as const)(
    'lets a call pass that costs more than a %s holds which refuses nothing, and takes none of it',
    async (algorithm) => {
      const { limiter } = limiterAt()
      const rules = [{ limit: 3, window: '1m', algorithm }] as const
      const sets = (['shadow', 'degrade'] as const).flatMap((mode) => {
        return compileRuleSets('bulk', [{ name: mode, by: 'user', mode, rules }])
      })
      const told = async (cost: number) => {
        const { allowed, shadowedBy, degradedBy } = await limiter.take(sets, user, cost)
        return [allowed, shadowedBy?.policy, degradedBy?.policy]
      }
      expect(await told(4)).toEqual([true, 'shadow-1m', 'degrade-1m'])
      expect(await told(3)).toEqual([true, undefined, undefined])
      expect(await told(4)).toEqual([true, 'shadow-1m', 'degrade-1m'])
    },
  )

  test('refuses by the rule with the longest wait, and allows after exactly that', async () => {
    const { clock, limiter } = limiterAt()
    await limiter.take(downloads, user)
    await limiter.take(downloads, user)
    const second = await limiter.take(downloads, user)
    expect([second.refusedBy?.policy, second.retryAfterMs, second.decidedBy]).toEqual(['download-1s', 1_000, 'store'])

    clock.time = 1_000
    expect((await limiter.take(downloads, user)).allowed).toBe(true)
    const minute = await limiter.take(downloads, user)
    expect([minute.refusedBy?.policy, minute.retryAfterMs]).toEqual(['download-1m', 59_000])

    clock.time = 59_999
    expect((await limiter.take(downloads, user)).retryAfterMs).toBe(1)
    clock.time = 60_000
    expect((await limiter.take(downloads, user)).allowed).toBe(true)
  })

  test('limits a user over all addresses, and a shared account per address and network until twenty networks use up its total', async () => {
    const { limiter } = limiterAt()
    const from = (caller: typeof user, network: number, last = 1) =>
      limiter.take(downloads, { ...caller, address: `10.0.${network}.${last}` }, 2)
    expect((await from(user, 1)).allowed).toBe(true)
    expect((await from(user, 2)).allowed).toBe(false)

    const desk = { ...user, userId: 'desk', shared: true }
    for (let network = 1; network <= 10; network += 1) expect((await from(desk, network)).allowed).toBe(true)
    expect((await from(desk, 1)).refusedBy?.policy).toBe('download-1m')
    expect((await from(desk, 1, 2)).refusedBy?.policy).toBe('download-network-1m')
    for (let network = 11; network <= 20; network += 1) expect((await from(desk, network)).allowed).toBe(true)
    expect((await from(desk, 21)).refusedBy?.policy).toBe('download-total-1s')
  })

  test('takes several requests all together, or none', async () => {
    const { limiter } = limiterAt()
    const perAccount = compileRuleSets('sign-in', [
      { name: 'account', by: 'subject', rules: [{ limit: 1, window: '1m' }] },
    ])
    const perAddress = compileRuleSets('sign-in', [{ name: 'address', by: 'ip', rules: [{ limit: 9, window: '1m' }] }])
    const signIn = async (name: string) => {
      const permit = await limiter.reserve([
        { sets: perAccount, caller: { subject: name } },
        { sets: perAddress, caller: user },
      ])
      return permit.decision
    }
    expect((await signIn('ann')).allowed).toBe(true)
    for (let i = 0; i < 20; i += 1) expect((await signIn('ann')).refusedBy?.policy).toBe('account-1m')
    const other = await signIn('bob')
    expect(other.rules.map((rule) => [rule.policy, rule.remaining])).toEqual([
      ['account-1m', 0],
      ['address-1m', 7],
    ])
  })

  test('peeks and resets without declared bytes', async () => {
    const { limiter } = limiterAt()
    const sets = compileRuleSets('upload', [{ by: 'user', unit: 'bytes', rules: [{ limit: 9, window: '1m' }] }])
    await limiter.reserve([{ sets, caller: user, bytes: 9 }])
    expect((await limiter.peek([{ sets, caller: user }])).retryAfterMs).toBe(60_000)
    await limiter.reset([{ sets, caller: user }])
    expect((await limiter.peek([{ sets, caller: user }])).rules).toMatchObject([{ remaining: 9 }])
  })

  test('ends a day by the date, even if the machine and its clock were asleep', async () => {
    const clock = { time: 0, now: () => clock.time }
    const date = { time: Date.UTC(2026, 10, 21, 23), now: () => date.time }
    const limiter = createLimiter({ clock, date })
    const sets = compileRuleSets('day', [
      { by: 'user', rules: [{ algorithm: 'fixed-window', limit: 1, window: '1d', align: 'day' }] },
    ])
    expect((await limiter.take(sets, user)).allowed).toBe(true)
    const refused = await limiter.take(sets, user)
    expect([refused.allowed, refused.retryAfterMs]).toEqual([false, 3_600_000])
    // A new subject after a sleep of two hours, in which the clock stood still.
    date.time += 7_200_000
    const bob = { ...user, userId: 'bob' }
    await limiter.take(sets, bob)
    expect((await limiter.take(sets, bob)).retryAfterMs).toBe(23 * 3_600_000)
  })

  test('allows everything without sets', async () => {
    const { limiter } = limiterAt()
    expect(await limiter.take([], user)).toMatchObject({ allowed: true, rules: [] })
    expect(limiter.status()).toBe('ready')
    expect(await limiter.check()).toBe('ready')
  })
})

describe('a rule set that says wait', () => {
  const clock = { now: () => Date.now() }
  const sets = compileRuleSets('image.upload', [
    { name: 'upload', by: 'user', rules: [{ limit: 1, window: '1s' }], wait: '2s' },
  ])

  beforeEach(() => {
    vi.useFakeTimers({ now: 0, toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test('holds calls until they pass, and counts each once, when it ends', async () => {
    const limiter = createLimiter({ clock })
    await limiter.take(sets, user)
    const calls = [limiter.take(sets, user), limiter.take(sets, user), limiter.take(sets, user)]
    await vi.advanceTimersByTimeAsync(2_000)
    const [second, third, fourth] = await Promise.all(calls)
    expect([second?.waitedMs, third?.waitedMs, fourth?.allowed]).toEqual([1_000, 2_000, false])
    expect(limiter.stats().rows).toMatchObject([
      { total: { passed: 3, refused: 1, waited: 3, waitedMs: 5_000, abandoned: 0 } },
    ])
  })

  test('cancels with the call’s signal, which is counted separately', async () => {
    const limiter = createLimiter({ clock })
    await limiter.take(sets, user)
    const leaving = new AbortController()
    const left = limiter.reserve([{ sets, caller: user }], { signal: leaving.signal, label: 'upload' })
    leaving.abort(new Error('gone'))
    await expect(left).rejects.toThrow('gone')
    expect(limiter.stats().rows).toMatchObject([{ total: { passed: 1, abandoned: 1, waited: 0 } }])
  })

  test('admits the next call after a refund or a reset', async () => {
    const limiter = createLimiter({ clock })
    const first = await limiter.reserve([{ sets, caller: user }])
    const second = limiter.reserve([{ sets, caller: user }])
    await vi.advanceTimersByTimeAsync(100)
    await first.refund()
    expect((await second).decision.waitedMs).toBe(100)
    const third = limiter.reserve([{ sets, caller: user }])
    await vi.advanceTimersByTimeAsync(100)
    await limiter.reset([{ sets, caller: user }])
    expect((await third).decision.waitedMs).toBe(100)
  })

  test('wait no longer than their callers say', async () => {
    const limiter = createLimiter({ clock })
    await limiter.take(sets, user)
    const refused = await limiter.reserve([{ sets, caller: user }], { waitMs: 999 })
    expect(refused.decision).toMatchObject({ allowed: false, ownWaitMs: 999, waitedMs: 0 })
    const waiting = limiter.reserve([{ sets, caller: user }], { waitMs: 1_000 })
    await vi.advanceTimersByTimeAsync(1_000)
    expect((await waiting).decision).toMatchObject({ allowed: true, waitedMs: 1_000 })
  })

  test('refuses waiting calls when the limiter closes', async () => {
    const limiter = createLimiter({ clock, waitersPerProcess: 1 })
    await limiter.take(sets, user)
    const waiting = limiter.take(sets, user)
    await vi.advanceTimersByTimeAsync(0)
    expect((await limiter.take(sets, user)).retryAfterMs).toBe(1_000)
    await limiter.close()
    expect(await waiting).toMatchObject({ allowed: false, retryAfterMs: 1_000 })
  })
})

describe('refusalOf', () => {
  test('returns the rule and the wait', async () => {
    const { limiter } = limiterAt()
    expect(refusalOf(await limiter.take(downloads, user, 2))).toBeNull()
    const refusal = refusalOf(await limiter.take(downloads, user))
    expect(refusal).toEqual({
      ruleSet: 'download',
      policy: 'download-1s',
      rule: '2 per second',
      parts: { limit: 2, unit: 'calls', window: 1_000 },
      limit: 2,
      windowMs: 1_000,
      retryAfterMs: 1_000,
      waitedMs: 0,
      rules: [
        { policy: 'download-1s', unit: 'calls', limit: 2, windowMs: 1_000, remaining: 0, resetMs: 1_000 },
        { policy: 'download-1m', unit: 'calls', limit: 3, windowMs: 60_000, remaining: 1, resetMs: 60_000 },
      ],
    })
  })
})
