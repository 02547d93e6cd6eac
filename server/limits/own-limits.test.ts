import { expect, test } from 'vitest'
import { createLimiter } from './limiter.ts'
import { compileRuleSets } from './rules/compile.ts'

const sets = compileRuleSets('download', [
  {
    by: 'subject',
    rules: [
      { limit: 5, window: '1h', algorithm: 'sliding-window-counter' },
      { limit: 8, window: '1d', algorithm: 'sliding-window-counter', samples: 24 },
    ],
  },
])
const caller = { subjectKey: 'share/one' }

async function take(limiter: ReturnType<typeof createLimiter>, own?: Readonly<Record<string, number>>) {
  const { decision } = await limiter.reserve([{ sets, caller, own }])
  return decision.allowed ? 'allowed' : [decision.refusedBy?.policy, decision.refusedBy?.limit]
}

test('a caller’s own limit holds where it is lower, keeps what was used when it changes, and never raises a declared one', async () => {
  const limiter = createLimiter({ clock: { now: () => 0 } })
  const hour = (limit: number) => ({ 'download-1h': limit })
  expect([await take(limiter, hour(2)), await take(limiter, hour(2))]).toEqual(['allowed', 'allowed'])
  expect(await take(limiter, hour(2))).toEqual(['download-1h', 2])
  expect(await take(limiter, hour(3))).toBe('allowed')
  expect(await take(limiter, hour(1))).toEqual(['download-1h', 1])
  expect([await take(limiter, hour(99)), await take(limiter)]).toEqual(['allowed', 'allowed'])
  expect(await take(limiter, hour(99))).toEqual(['download-1h', 5])
  expect(await take(limiter, { 'download-1d': 4 })).toEqual(expect.arrayContaining(['download-1d', 4]))
  await limiter.close()
})
