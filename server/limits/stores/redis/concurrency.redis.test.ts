import { expect, test } from 'vitest'
import { answersIn, instantsIn } from '#testing/limits/receipts.ts'
import { makeCharge, plainRule } from '../../../../testing/limits/charges.ts'
import { redisScene } from '../../../../testing/limits/redis-scene.ts'
import type { Operation } from '../../store.ts'

const scene = redisScene()

function operation(type: 'take' | 'force', lease: string, limit = 2, windowMs = 60_000) {
  return { type, charges: [makeCharge('concurrency', 'a', [{ ...plainRule(limit, windowMs), lease }])] }
}

async function wait(asked: Operation): Promise<readonly number[]> {
  const answers = answersIn(await scene.store.apply(asked))
  return answers.map(({ waitMs }) => waitMs)
}

test('a key holds the names of those under way, and expires one lease after the last was taken', async () => {
  for (const lease of ['one', 'two']) expect(await wait(operation('take', lease))).toEqual([0])
  const [at] = instantsIn(await scene.store.apply(operation('force', 'one')))
  expect((await scene.client.zrange('a', 0, '-1')).toSorted()).toEqual(['one', 'two'])
  expect(await scene.client.zscore('a', 'one')).toBe(String(Number(at) + 60_000))
  expect(await scene.client.pttl('a')).toBeGreaterThan(0)
  expect(await scene.client.pttl('a')).toBeLessThanOrEqual(60_000)
})

test('the last to end takes the key with it', async () => {
  const asked = operation('take', 'one')
  const at = instantsIn(await scene.store.apply(asked))
  await scene.store.apply({ ...asked, type: 'refund', at })
  expect(await scene.client.exists('a')).toBe(0)
})

test('leases of the dead go when one is taken', async () => {
  await scene.client.zadd('a', 1, 'long dead', 2, 'dead')
  await scene.store.apply(operation('take', 'one'))
  expect(await scene.client.zrange('a', 0, '-1')).toEqual(['one'])
})

test('a key without expiry, and one that holds something else, are mended', async () => {
  await scene.store.apply(operation('take', 'one', 1))
  await scene.client.persist('a')
  expect(await wait(operation('take', 'two', 1))).not.toEqual([0])
  expect(await scene.client.pttl('a')).toBeGreaterThan(0)
  await scene.client.set('a', 'text')
  expect(await wait(operation('take', 'two', 1))).toEqual([0])
  expect(await scene.client.zrange('a', 0, '-1')).toEqual(['two'])
  await scene.client.set('a', 'text')
  await scene.store.apply({ ...operation('take', 'two'), type: 'refund', at: [0] })
})

test('a place of a process that died is free after its lease', async () => {
  expect(await wait(operation('take', 'dead', 1, 1))).toEqual([0])
  await expect.poll(() => wait(operation('take', 'next', 1, 1)), { interval: 2 }).toEqual([0])
})
