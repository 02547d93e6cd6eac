import { createLimiter } from '#server/limits/limiter.ts'
import { compileRuleSets } from '#server/limits/rules/compile.ts'
import { startRedisServer } from '../../testing/servers/redis-server.ts'
import { plainConnection, usedMemory } from '../limits/bare.ts'
import { designs } from './designs.ts'

const SUBJECTS = 2_000

/** Bytes per subject in Redis with one algorithm: after its first call, and after a hundred. */
export interface Memory {
  readonly design: string
  readonly first: number
  readonly hundred: number
}

/** Measures used_memory over 2,000 subjects with keys of 44 characters, at 100 per day, so that nothing leaks or expires during the
 *  measurement. */
export async function measureMemory(): Promise<readonly Memory[]> {
  await using redis = await startRedisServer()
  using admin = await plainConnection(redis.url)
  const limiter = createLimiter({ redisUrl: redis.url, deadlineMs: 60_000 })
  const perSubject: Memory[] = []
  try {
    for (const { name: design, rule } of designs(100, '1d')) {
      const sets = compileRuleSets('download', [{ by: 'user', rules: [rule] }])
      const round = () =>
        Promise.all(
          Array.from({ length: SUBJECTS }, (_, i) =>
            limiter.take(sets, { address: '192.0.2.1', userId: `user-${String(i).padStart(8, '0')}`, shared: false }),
          ),
        )
      await admin.flushall('SYNC')
      const before = await usedMemory(admin)
      await round()
      const first = (await usedMemory(admin)) - before
      for (let call = 1; call < 100; call += 1) await round()
      perSubject.push({ design, first: first / SUBJECTS, hundred: ((await usedMemory(admin)) - before) / SUBJECTS })
    }
  } finally {
    await limiter.close()
  }
  return perSubject
}
