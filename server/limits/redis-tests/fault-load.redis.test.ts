import { afterAll, beforeAll, expect, test } from 'vitest'
import { runFault } from '#testing/limits/fault-load.ts'
import { type FaultyRedis, redisFaults, startFaultyRedis } from '#testing/limits/redis-faults.ts'

let scene: FaultyRedis
beforeAll(async () => {
  scene = await startFaultyRedis()
})
afterAll(() => scene[Symbol.asyncDispose]())

test.each(redisFaults)(
  '$name in full load: no error surfaces, Redis counts no call twice, and no more pass than is said',
  async (fault) => {
    const report = await runFault(scene, fault, 300)
    expect(report).toMatchObject({ errors: 0, late: 0, chargedTwice: 0, uncounted: 0, withoutWait: 0 })
    expect(report.decided.policy).toBe(report.denied)
    const { block, ...decided } = report.decided
    for (const count of Object.values(decided)) expect(count).toBeGreaterThan(0)
    expect(block).toBe(0)
    expect(report.admitted).toBeGreaterThanOrEqual(report.limit)
    expect(report.admitted).toBeLessThanOrEqual(report.bound)
  },
)
