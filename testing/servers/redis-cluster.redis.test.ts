import { Cluster } from 'ioredis'
import { expect, test } from 'vitest'
import { startRedisCluster } from './redis-cluster.ts'

test('a client of the cluster sets and gets keys on each of its three masters', async () => {
  await using redis = await startRedisCluster()
  const client = new Cluster(redis.nodes.map(({ host, port }) => ({ host, port })))
  const keys = Array.from({ length: 300 }, (_, i) => `key-${i}`)
  await Promise.all(keys.map((key) => client.set(key, `value of ${key}`)))
  expect(await Promise.all(keys.map((key) => client.get(key)))).toEqual(keys.map((key) => `value of ${key}`))

  const held = await Promise.all(client.nodes('master').map((node) => node.dbsize()))
  client.disconnect()
  expect(held).toHaveLength(3)
  expect(held.every((count) => count > 0)).toBe(true)
  expect(held.reduce((sum, count) => sum + count, 0)).toBe(keys.length)
})

test('a frozen master does not respond until it is thawed', async () => {
  await using redis = await startRedisCluster()
  const client = new Cluster(redis.nodes.map(({ host, port }) => ({ host, port })))
  // Slots 866 and 12182 belong to the first and the last master.
  const [first, last] = ['hello', 'foo']
  await Promise.all([client.set(first, 'a'), client.set(last, 'b')])
  redis.freeze(0)
  let isAnswered = false
  const answer = client.get(first).finally(() => {
    isAnswered = true
  })
  expect(await client.get(last)).toBe('b')
  expect(isAnswered).toBe(false)
  redis.thaw(0)
  expect(await answer).toBe('a')
  client.disconnect()
})
