import { expect, test } from 'vitest'
import { answersIn, instantsIn } from '#testing/limits/receipts.ts'
import { makeCharge, plainRule } from '../../../../testing/limits/charges.ts'
import { redisScene } from '../../../../testing/limits/redis-scene.ts'
import { loadLimitScript } from './lua-script.ts'
import { connectRedis } from './redis-client.ts'
import { RedisStore } from './redis-store.ts'

const scene = redisScene()

type Rules = readonly (readonly [limit: number, windowMs: number])[]

function charges(rules: Rules, cost = 1) {
  const own = rules.map(([limit, windowMs]) => ({ ...plainRule(limit, windowMs), calendar: null, boundaries: [] }))
  return [makeCharge('fixed-window', 'a', own, cost)]
}

function take(...rules: Rules) {
  return scene.store.apply({ type: 'take', charges: charges(rules) })
}

/** What the key holds: for each rule the first charge, the end and the count of its window. */
async function stored(): Promise<readonly number[]> {
  const bytes = (await scene.client.getBuffer('a')) ?? Buffer.alloc(0)
  return Array.from({ length: bytes.length / 8 }, (_, i) => bytes.readDoubleLE(i * 8))
}

async function expectLife(longestMs: number): Promise<void> {
  const left = await scene.client.pttl('a')
  expect(left).toBeGreaterThan(0)
  expect(left).toBeLessThanOrEqual(longestMs)
}

test('all rules share one string', async () => {
  const at = instantsIn(await take([5, 60_000], [9, 3_600_000]))
  const since = at[0] ?? 0
  expect(await stored()).toEqual([since, since + 60_000, 1, since, since + 3_600_000, 1])
  await expectLife(3_600_000)
})

test.each([900, 1_500, 60_000])(
  'a window of %d ms expires with its last millisecond (EXPIRE takes whole seconds)',
  async (ms) => {
    await take([5, ms])
    const [, end = 0] = await stored()
    await expectLife(ms)
    // Not before: then one window would end early, and the next begin inside it.
    expect(await scene.client.pexpiretime('a')).toBeGreaterThanOrEqual(end)
  },
)

test('the shortest window has an expiry at its last instant, too (one of 0 would delete the key)', async () => {
  const script = loadLimitScript('return 999')
  const other = new RedisStore({ client: connectRedis(scene.redis.url), script, deadlineMs: 30_000 })
  const rule = { ...plainRule(1, 1), calendar: null, boundaries: [0] }
  const operation = { type: 'take', charges: [makeCharge('fixed-window', 'a', [rule])] } as const
  const answers = answersIn(await other.apply(operation).finally(() => other.close()))
  expect(answers).toEqual([{ remaining: 0, resetMs: 1, waitMs: 0, delayMs: 0 }])
  expect(await scene.client.pttl('a')).not.toBe(-1)
})

test('a refusal restores the expiry of a key that lost it, so that no subject is refused for ever', async () => {
  await take([1, 60_000])
  await scene.client.persist('a')
  const [refused] = answersIn(await take([1, 60_000]))
  expect(refused?.waitMs).toBeGreaterThan(0)
  await expectLife(60_000)
})

test('a call finds a new window where the key has lost its expiry and its window ended long ago', async () => {
  const bytes = Buffer.alloc(24)
  for (const [i, number] of [1_000, 61_000, 5].entries()) bytes.writeDoubleLE(number, i * 8)
  await scene.client.set('a', bytes)
  expect(answersIn(await take([5, 60_000]))).toEqual([{ remaining: 4, resetMs: 60_000, waitMs: 0, delayMs: 0 }])
  await expectLife(60_000)
})

test('a refusal and a charge both shorten an expiry that is longer than the window', async () => {
  for (const limit of [1, 2]) {
    await take([limit, 60_000])
    await scene.client.pexpire('a', 86_400_000)
    await take([limit, 60_000])
    await expectLife(60_000)
    await scene.client.del('a')
  }
})

test('a key that lost its expiry within its window has one again after a charge', async () => {
  await take([2, 60_000])
  await scene.client.persist('a')
  await take([2, 60_000])
  await expectLife(60_000)
})

test.each([
  ['a count of INCR', () => scene.client.set('a', '5')],
  ['an empty string', () => scene.client.set('a', '')],
  ['a string of another length', () => scene.client.set('a', 'x'.repeat(25))],
  ['a hash', () => scene.client.hset('a', 'count', 5)],
  ['a list', () => scene.client.rpush('a', 5)],
  ['a set', () => scene.client.sadd('a', 5)],
  ['a ZSET', () => scene.client.zadd('a', 1, 'a1')],
  ['a stream', () => scene.client.xadd('a', '*', 'count', 5)],
])('%s under a key is replaced by a window, and a refund leaves it alone', async (_, plant) => {
  await plant()
  const type = await scene.client.type('a')
  await scene.store.apply({ type: 'refund', charges: charges([[2, 60_000]]), at: [Date.now()] })
  expect(await scene.client.type('a')).toBe(type)
  expect(answersIn(await take([2, 60_000]))).toEqual([{ remaining: 1, resetMs: 60_000, waitMs: 0, delayMs: 0 }])
  expect(await scene.client.type('a')).toBe('string')
  await expectLife(60_000)
})

test('a refund makes no key (one below zero and without expiry)', async () => {
  await scene.store.apply({ type: 'refund', charges: charges([[2, 60_000]]), at: [Date.now()] })
  expect(await scene.client.exists('a')).toBe(0)
})

test('a refund gives the key its expiry, even where nothing is left in it', async () => {
  const at = instantsIn(await take([2, 60_000]))
  await scene.client.persist('a')
  await scene.store.apply({ type: 'refund', charges: charges([[2, 60_000]]), at })
  expect((await stored())[2]).toBe(0)
  await expectLife(60_000)
})

test('of 1,000 at once exactly 10 pass at a limit of 10 (more where count and charge are two steps)', async () => {
  const receipts = await Promise.all(Array.from({ length: 1_000 }, () => take([10, 3_600_000])))
  expect(receipts.filter((receipt) => answersIn(receipt)[0]?.waitMs === 0)).toHaveLength(10)
})
