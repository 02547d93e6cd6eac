import fc from 'fast-check'
import { expect, test } from 'vitest'
import { answersIn } from '#testing/limits/receipts.ts'
import { charge } from '../../../../testing/limits/charges.ts'
import { redisScene } from '../../../../testing/limits/redis-scene.ts'

const scene = redisScene()

/** A key's windows by its name, all so long that none expires within the test. */
const WINDOWS: Record<string, readonly number[]> = {
  a: [60_000],
  b: [61_000, 3_600_000],
  c: [1_000, 62_000, 86_400_000],
}

const callArbitrary = fc.subarray(Object.keys(WINDOWS), { minLength: 1 }).chain((keys) =>
  fc
    .record({
      limit: fc.integer({ min: 1, max: 4 }),
      spoil: fc.constantFrom('no', 'no', 'persist', 'string', 'longer'),
    })
    .map(({ limit, spoil }) => ({
      charges: keys.map((key) =>
        charge(
          key,
          (WINDOWS[key] ?? []).map((window) => [limit, window] as const),
        ),
      ),
      spoil,
    })),
)

async function spoilKey(key: string, how: string): Promise<void> {
  if (how === 'persist') await scene.client.persist(key)
  if (how === 'longer') await scene.client.pexpire(key, 10 * 86_400_000)
  if (how === 'string') await scene.client.set(key, 'not a log')
}

test('after any sequence every key of the last call expires within its longest window', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(callArbitrary, { minLength: 1, maxLength: 12 }), async (calls) => {
      await scene.client.flushall()
      for (const { charges, spoil } of calls) {
        for (const { key } of charges) await spoilKey(key, spoil)
        await scene.store.apply({ type: 'take', charges })
        for (const { key, rules } of charges) {
          const left = await scene.client.pttl(key)
          // A call may leave a key that it did not charge, and that did not exist, absent: -2.
          if (left === -2) continue
          expect(left).toBeGreaterThan(0)
          expect(left).toBeLessThanOrEqual(Math.max(...rules.map((rule) => rule.windowMs)))
        }
      }
    }),
    { numRuns: 300 },
  )
})

test('a refusal restores the expiry of a key that lost it, so that no subject is refused for ever', async () => {
  const call = [charge('a', [[1, 60_000]])]
  await scene.store.apply({ type: 'take', charges: call })
  await scene.client.persist('a')
  expect(await scene.client.pttl('a')).toBe(-1)
  const [refused] = answersIn(await scene.store.apply({ type: 'take', charges: call }))
  expect(refused?.remaining).toBe(0)
  expect(await scene.client.pttl('a')).toBeGreaterThan(0)
  expect(await scene.client.pttl('a')).toBeLessThanOrEqual(60_000)
})

test.each([
  ['a string', () => scene.client.set('a', '5')],
  ['a hash', () => scene.client.hset('a', 'count', 5)],
  ['a list', () => scene.client.rpush('a', 5)],
  ['a set', () => scene.client.sadd('a', 5)],
  ['a stream', () => scene.client.xadd('a', '*', 'count', 5)],
  ['a ZSET of something else', () => scene.client.zadd('a', String(Date.now()), 'b6f5c0de-uuid')],
])('%s under a key is replaced by a log', async (_, plant) => {
  await plant()
  const answers = answersIn(await scene.store.apply({ type: 'take', charges: [charge('a', [[2, 60_000]])] }))
  expect(answers).toEqual([{ remaining: 1, resetMs: 60_000, waitMs: 0, delayMs: 0 }])
  expect(await scene.client.type('a')).toBe('zset')
})

test('a log holds short members, and a cost needs no member for each permit', async () => {
  for (const cost of [1, 1, 7, 1, 250])
    await scene.store.apply({ type: 'take', charges: [charge('a', [[1_000, 60_000]], cost)] })
  expect(await scene.client.zrange('a', '0', '-1')).toEqual(['a1', 'a2', 'a9:7', 'b10', 'c260:250'])
})

test('entries older than the longest window go when one is added', async () => {
  await scene.client.zadd('a', String(Date.now() - 120_000), 'a1', String(Date.now() - 60_000), 'a2')
  await scene.store.apply({ type: 'take', charges: [charge('a', [[5, 60_000]])] })
  expect(await scene.client.zrange('a', '0', '-1')).toEqual(['a1'])
})
