import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startFaultProxy } from '../../../testing/servers/fault-proxy.ts'
import { startRedisCluster } from '../../../testing/servers/redis-cluster.ts'
import { type RedisServer, startRedisServer } from '../../../testing/servers/redis-server.ts'
import { systemClock } from '../clock.ts'
import { encodeMessage } from './fleet-message.ts'
import { RedisFleet } from './redis-fleet.ts'
import { CHANNEL } from './redis-link.ts'

const BEAT_MS = 200
const MEMBER = fileURLToPath(new URL('../../../testing/limits/fleet-member.ts', import.meta.url))

let redis: RedisServer

beforeAll(async () => {
  redis = await startRedisServer()
})
afterAll(async () => {
  await redis[Symbol.asyncDispose]()
})

/** A fleet with this process as a member, the messages that it received under 'news', and the number of gaps. */
function join(redisUrl: string, name = 'somebody', clock = systemClock) {
  const fleet = new RedisFleet(redisUrl, BEAT_MS, clock)
  const heard: string[] = []
  const seen = { gaps: 0 }
  fleet.show(() => name)
  fleet.hear('news', (message) => heard.push(message))
  fleet.onGap(() => {
    seen.gaps += 1
  })
  return { fleet, heard, seen, [Symbol.asyncDispose]: () => fleet.close() }
}

const sizes = (...members: ReturnType<typeof join>[]) => members.map(({ fleet }) => fleet.size)
const soon = { interval: 10 }

async function startMember(redisUrl: string) {
  const child = fork(MEMBER, [redisUrl, String(BEAT_MS)], { execArgv: [] })
  await once(child, 'message')
  return { pid: child.pid, [Symbol.asyncDispose]: async () => void child.kill('SIGKILL') }
}

describe('processes on one Redis', () => {
  test("see one another and one another's snapshots", async () => {
    await using one = join(redis.url, 'one')
    await using two = join(redis.url, 'two')
    await expect.poll(() => sizes(one, two), soon).toEqual([2, 2])
    await using three = join(redis.url, 'three')
    await expect.poll(() => sizes(one, two, three), soon).toEqual([3, 3, 3])
    await expect.poll(() => one.fleet.snapshots().toSorted(), soon).toEqual(['three', 'two'])
    await expect.poll(() => three.fleet.snapshots().toSorted(), soon).toEqual(['one', 'two'])
  })

  test('leave at once when they close, and time out when they are killed', async () => {
    const begunAt = systemClock.now()
    let isStanding = true
    await using one = join(redis.url, 'one', { now: () => (isStanding ? begunAt : systemClock.now()) })
    const two = join(redis.url)
    await using child = await startMember(redis.url)
    await expect.poll(() => one.fleet.size, soon).toBe(3)
    await two.fleet.close()
    // While its clock stands still, no process has been silent for too long.
    await expect.poll(() => one.fleet.size, soon).toBe(2)
    isStanding = false
    await expect.poll(() => one.fleet.snapshots(), soon).toEqual([`of ${child.pid}`])
    process.kill(Number(child.pid), 'SIGKILL')
    await expect.poll(() => one.fleet.size, soon).toBe(1)
    expect(one.fleet.snapshots()).toEqual([])
  })

  test('receive what the others publish, in order and once, and never their own messages', async () => {
    await using one = join(redis.url)
    await using two = join(redis.url)
    await expect.poll(() => sizes(one, two), soon).toEqual([2, 2])
    const gaps = [one.seen.gaps, two.seen.gaps]
    for (const message of ['first', 'second', 'third']) one.fleet.tell('news', message)
    one.fleet.tell('others', 'unheard')
    await expect.poll(() => two.heard, soon).toEqual(['first', 'second', 'third'])
    two.fleet.tell('news', 'back')
    await expect.poll(() => one.heard, soon).toEqual(['back'])
    expect([one.seen.gaps, two.seen.gaps]).toEqual(gaps)
  })

  test('discover another process within one heartbeat', async () => {
    await using one = join(redis.url)
    await using child = await startMember(redis.url)
    await expect.poll(() => one.fleet.size, soon).toBe(2)
    const answers: string[] = []
    one.fleet.hear('answer', (answer) => answers.push(answer))
    one.fleet.tell('question', 'this')
    await expect.poll(() => answers, soon).toEqual([`this is heard by ${child.pid}`])
  })

  test('publish the messages of one turn as one', async () => {
    await using one = join(redis.url)
    await using admin = await listen(redis.url)
    await expect.poll(() => admin.heard.length, soon).toBeGreaterThan(0)
    for (let i = 0; i < 100; i += 1) one.fleet.tell('news', String(i))
    const told = () =>
      admin.heard.filter((text) => text.includes('"told",')).map((text) => JSON.parse(text).messages.length)
    await expect.poll(told, soon).toEqual([100])
  })

  test('do not see those of another database', async () => {
    await using one = join(`${redis.url}/1`)
    await using two = join(`${redis.url}/1`)
    await using three = join(`${redis.url}/2`)
    await expect.poll(() => sizes(one, two), soon).toEqual([2, 2])
    one.fleet.tell('news', 'for 1')
    await expect.poll(() => two.heard, soon).toEqual(['for 1'])
    await delay(2 * BEAT_MS)
    expect([three.fleet.size, three.heard]).toEqual([1, []])
  })
})

describe('foreign messages', () => {
  test('do no harm; a process of another version is counted, but not read', async () => {
    await using one = join(redis.url, 'one')
    await using two = join(redis.url, 'two')
    await expect.poll(() => sizes(one, two), soon).toEqual([2, 2])
    await using admin = await listen(redis.url)
    const newer = { version: 2, kind: 'here', from: 'newer', told: 0, snapshot: { of: 'another kind' } }
    const garbage = [
      '',
      'hello',
      '{',
      'null',
      '[]',
      '{"version":1}',
      '{"version":1,"kind":"here","from":"x","told":-1}',
    ]
    for (const text of [...garbage, 'x'.repeat(2_000_000), JSON.stringify(newer)]) await admin.publish(text)
    await expect.poll(() => sizes(one, two), soon).toEqual([3, 3])
    expect(one.fleet.snapshots()).toEqual(['two'])
    one.fleet.tell('news', 'still here')
    await expect.poll(() => two.heard, soon).toEqual(['still here'])
    await expect.poll(() => sizes(one, two), soon).toEqual([2, 2])
  })

  test('a topic message of another version is reported as a gap', async () => {
    await using one = join(redis.url)
    await using admin = await listen(redis.url)
    await expect.poll(() => one.seen.gaps, soon).toBe(1)
    await admin.publish(JSON.stringify({ version: 2, kind: 'told', from: 'newer', told: 1, words: ['?'] }))
    await expect.poll(() => one.seen.gaps, soon).toBe(2)
  })
})

describe('a gap', () => {
  test('is reported when a process has published more messages than another received', async () => {
    await using one = join(redis.url)
    await using admin = await listen(redis.url)
    await expect.poll(() => one.seen.gaps, soon).toBe(1)
    const say = (told: number) => admin.publish(encodeMessage({ kind: 'here', from: 'other', told, snapshot: null }))
    await say(0)
    await admin.publish(
      encodeMessage({ kind: 'told', from: 'other', told: 1, messages: [{ topic: 'news', message: 'heard' }] }),
    )
    await say(1)
    await expect.poll(() => one.heard, soon).toEqual(['heard'])
    expect(one.seen.gaps).toBe(1)
    await say(2)
    await expect.poll(() => one.seen.gaps, soon).toBe(2)
  })

  test('is reported after a restart of Redis, after which all processes find one another again', async () => {
    await using server = await startRedisServer()
    await using one = join(server.url)
    await using two = join(server.url)
    await expect.poll(() => sizes(one, two), soon).toEqual([2, 2])
    const gaps = one.seen.gaps
    await server.restart()
    await expect.poll(() => one.seen.gaps, soon).toBeGreaterThan(gaps)
    one.fleet.tell('news', 'after')
    // What was published before the other process listened again is a gap for the other.
    await expect.poll(() => two.heard.length + two.seen.gaps, soon).toBeGreaterThan(gaps)
    expect(sizes(one, two)).toEqual([2, 2])
  })

  test('is reported after the connections are cut', async () => {
    await using proxy = await startFaultProxy(redis)
    await using one = join(`redis://${proxy.host}:${proxy.port}`)
    await using two = join(redis.url)
    await expect.poll(() => sizes(one, two), soon).toEqual([2, 2])
    const gaps = one.seen.gaps
    await proxy.set('reset')
    two.fleet.tell('news', 'missed')
    await proxy.set('pass')
    await expect.poll(() => one.seen.gaps, soon).toBeGreaterThan(gaps)
    two.fleet.tell('news', 'heard')
    await expect.poll(() => one.heard, soon).toEqual(['heard'])
  })
})

describe('an outage', () => {
  test.each(['blackhole', 'refuse'] as const)(
    'of the kind %s leaves the size unchanged, and is reported as a gap',
    async (fault) => {
      await using proxy = await startFaultProxy(redis)
      const url = `redis://${proxy.host}:${proxy.port}`
      await using one = join(url)
      await using two = join(url)
      await using three = join(redis.url)
      await expect.poll(() => sizes(one, two, three), soon).toEqual([3, 3, 3])
      const gaps = one.seen.gaps
      await proxy.set(fault)
      // A process that can still be heard is seen to leave; one that hears nothing keeps its count.
      await expect.poll(() => three.fleet.size, soon).toBe(1)
      await delay(10 * BEAT_MS)
      expect(sizes(one, two)).toEqual([3, 3])
      await proxy.set('pass')
      await expect.poll(() => one.seen.gaps, soon).toBeGreaterThan(gaps)
      await expect.poll(() => sizes(one, two, three), soon).toEqual([3, 3, 3])
    },
  )

  test('a frozen Redis leaves the size unchanged', async () => {
    await using server = await startRedisServer()
    await using one = join(server.url)
    await using two = join(server.url)
    await expect.poll(() => sizes(one, two), soon).toEqual([2, 2])
    server.freeze()
    await delay(10 * BEAT_MS)
    expect(sizes(one, two)).toEqual([2, 2])
    server.thaw()
    one.fleet.tell('news', 'after')
    await expect.poll(() => two.heard.length + two.seen.gaps, soon).toBeGreaterThan(1)
    expect(sizes(one, two)).toEqual([2, 2])
  })
})

test('a process that was itself frozen has missed nothing, and drops no member', async () => {
  let stoodStillMs = 0
  await using one = join(redis.url, 'one', { now: () => systemClock.now() + stoodStillMs })
  await using two = join(redis.url, 'two')
  await expect.poll(() => sizes(one, two), soon).toEqual([2, 2])
  const gaps = one.seen.gaps
  stoodStillMs = 60_000
  two.fleet.tell('news', 'heard late')
  await expect.poll(() => one.heard, soon).toEqual(['heard late'])
  await delay(3 * BEAT_MS)
  expect([one.fleet.size, one.seen.gaps]).toEqual([2, gaps])
})

test('without a Redis the fleet is this process alone, and closes', async () => {
  const alone = join('redis://127.0.0.1:1')
  alone.fleet.tell('news', 'to nobody')
  expect(alone.fleet.size).toBe(1)
  await alone.fleet.close()
  expect(alone.seen.gaps).toBe(0)
})

test('on a Cluster processes hear one another from any node, even when the node of one is frozen', async () => {
  await using cluster = await startRedisCluster()
  const [a, b, c] = cluster.nodes.map(({ url }) => url)
  await using one = join([a, b, c].join(','))
  await using two = join([b, c, a].join(','))
  await expect.poll(() => sizes(one, two), soon).toEqual([2, 2])
  one.fleet.tell('news', 'across')
  await expect.poll(() => two.heard, soon).toEqual(['across'])
  const gaps = one.seen.gaps
  cluster.freeze(0)
  await expect.poll(() => one.seen.gaps, soon).toBeGreaterThan(gaps)
  await expect.poll(() => sizes(one, two), soon).toEqual([2, 2])
  two.fleet.tell('news', 'by another node')
  await expect.poll(() => one.heard, soon).toEqual(['by another node'])
  cluster.thaw(0)
})

/** A client on the channel that is not a member of the fleet. */
async function listen(redisUrl: string) {
  const subscriber = new Redis(redisUrl)
  const publisher = new Redis(redisUrl)
  const heard: string[] = []
  subscriber.on('message', (_, text) => heard.push(text))
  await subscriber.subscribe(`${CHANNEL}:0`)
  return {
    heard,
    publish: (text: string) => publisher.publish(`${CHANNEL}:0`, text),
    [Symbol.asyncDispose]: async () => {
      subscriber.disconnect()
      publisher.disconnect()
    },
  }
}
