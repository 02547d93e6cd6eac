import { expect, test } from 'vitest'
import { startRedisServer } from '#testing/servers/redis-server.ts'
import { createLimiter } from '../limiter.ts'
import { withFacts } from '../overrides.ts'
import { compileRuleSets } from '../rules/compile.ts'
import type { TrialCounts } from '../rules/compiled.ts'

const sets = compileRuleSets('image.list', [
  {
    name: 'view',
    by: 'subject',
    rules: [
      { limit: 1, window: '1m', blockFor: '1h' },
      { limit: 9, window: '1h' },
    ],
  },
])

test('the blocks that rules have begun are listed by every process, and by one that starts later, until they are reset', async () => {
  await using redis = await startRedisServer()
  // Tests wait for Redis however busy the machine is.
  const start = () => createLimiter({ redisUrl: redis.url, deadlineMs: 60_000 })
  const first = start()
  const callers = Array.from({ length: 30 }, (_, at) => ({ address: `192.0.2.${at}`, userId: null, shared: false }))
  for (const caller of callers) for (let i = 0; i < 2; i += 1) await first.take(sets, caller)
  await first.take(sets, { address: '198.51.100.1', userId: null, shared: false })
  const later = start()
  const { blocked, isWhole } = await later.blocks()
  expect([blocked.length, isWhole]).toEqual([30, true])
  for (const { key, leftMs } of blocked) {
    expect(key).toMatch(/^RATE:LIMIT:\{192\.0\.2\.\d+\}:view:[\w-]{8}$/)
    expect(leftMs.map((ms) => ms > 3_000_000 && ms <= 3_600_000)).toEqual([true, false])
  }
  const [set] = sets
  const [one] = blocked
  if (!set || !one) throw new Error('a block')
  await later.resetKey(set, one.key)
  expect((await first.blocks()).blocked).toHaveLength(29)
  await Promise.all([first.close(), later.close()])
})

test('a trial beside another shadow set counts by itself in Redis too', async () => {
  await using redis = await startRedisServer()
  const limiter = createLimiter({ redisUrl: redis.url, deadlineMs: 60_000 })
  const trial: TrialCounts = { ruleSet: 'view', version: '1', since: 0, asked: 0, refused: 0 }
  const [own, shadow] = [
    compileRuleSets('a', [{ name: 'view', by: 'ip', rules: [{ limit: 99, window: '1h' }] }]),
    compileRuleSets('a', [{ name: 'added', by: 'ip', mode: 'shadow', rules: [{ limit: 1, window: '1h' }] }]),
  ]
  const tried = compileRuleSets('a', [
    { name: 'view-trial', by: 'ip', mode: 'shadow', rules: [{ limit: 3, window: '1h' }] },
  ])
  const charged = [{ ruleSet: 'view', sets: tried.map((set) => withFacts(set, { trial })) }]
  limiter.override([], [{ procedure: 'a', sets: shadow }], charged)
  const caller = { address: '192.0.2.1', userId: null, shared: false }
  for (let i = 0; i < 10; i += 1) await limiter.reserve([{ sets: own, caller, procedure: 'a' }])
  limiter.stats()
  expect(trial).toMatchObject({ asked: 10, refused: 7 })
  await limiter.close()
})
