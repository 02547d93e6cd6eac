import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { signIn } from '#server/accounts/sessions/sign-in.ts'
import { behindProxy, read, sendUpload } from '#testing/http/image-client.ts'
import { picture } from '#testing/images/pictures.ts'
import { type StoredImage, storeImageFor } from '#testing/library/stored-image.ts'
import { type FaultyRedis, redisFaults, startFaultyRedis } from '#testing/limits/redis-faults.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'

const PASSWORD = 'a password of this test'

let scene: FaultyRedis
let served: TestApp
let owner: Person
let image: StoredImage
let photo: Buffer
beforeAll(async () => {
  scene = await startFaultyRedis()
  served = await startApp({ ...behindProxy, REDIS_URL: scene.url })
  owner = await served.person({ password: PASSWORD })
  image = await storeImageFor(served, owner, { visibility: 'public' })
  photo = await picture()
})
afterAll(async () => {
  await served[Symbol.asyncDispose]()
  await scene[Symbol.asyncDispose]()
})

const ready = () => expect.poll(() => served.app.limiter.status()).toBe('ready')

let addresses = 0
function newAddress(): string {
  addresses += 1
  return `198.51.100.${addresses}`
}

function attempt({ viewer }: Person, password: string, address = newAddress()) {
  return signIn(served.app, { username: viewer.username, password, address, userAgent: 'test' })
}

const signsIn = async () => expect((await attempt(owner, PASSWORD)).outcome).toBe('signed-in')

/** Guesses the password of a new account until refused. */
async function guessUntilRefused() {
  const address = newAddress()
  const guessed = await served.person({ password: PASSWORD })
  for (let at = 0; at < 10; at += 1) expect(await attempt(guessed, 'a guess', address)).toEqual({ outcome: 'wrong' })
  const refused = await attempt(guessed, PASSWORD, address)
  if (refused.outcome !== 'limited') return expect.unreachable()
  return refused.decision
}

function createToken(): Promise<Response> {
  return fetch(`${served.origin}/api/trpc/token.create`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Cookie: owner.cookie },
    body: JSON.stringify({ name: '', scopes: [], expiresInDays: null }),
  })
}

describe.each(redisFaults)('the whole server during $name', (fault) => {
  test('counts sign-ins in process, refuses new tokens, keeps serving the rest, and recovers by itself', async () => {
    await ready()
    await signsIn()
    await fault.begin(scene)
    try {
      // The first call waits for the deadline of Redis.
      expect((await read(image.url)).status).toBe(200)
      await signsIn()
      const { decidedBy, refusedBy } = await guessUntilRefused()
      expect([decidedBy, refusedBy?.policy]).toEqual(['local', 'sign-in-1m'])
      const refused = await createToken()
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5'])
      for (let i = 0; i < 5; i += 1) expect((await read(image.url)).status).toBe(200)
      expect((await read(`${served.origin}/api/trpc/image.list`, owner)).status).toBe(200)
      expect((await sendUpload(served, owner, photo)).status).toBe(200)
      expect(served.app.limiter.status()).toBe('degraded')
      expect((await fetch(`${served.origin}/readyz`)).status).toBe(200)
    } finally {
      await fault.end(scene)
    }
    await ready()
    await signsIn()
    expect((await read(image.url)).status).toBe(200)
  })
})

test('/readyz finds an outage of Redis when nobody calls', async () => {
  await ready()
  const limiter = async () => {
    const { limiter } = z.object({ limiter: z.string() }).parse(await (await fetch(`${served.origin}/readyz`)).json())
    return limiter
  }
  expect(await limiter()).toBe('ready')
  await scene.proxy.set('blackhole')
  await expect.poll(limiter).toBe('degraded')
  await scene.proxy.set('pass')
  await ready()
})

test('a reset during an outage of Redis is an outage, with Retry-After', async () => {
  await ready()
  const superadmin = await served.person({ role: 'superadmin' })
  await scene.proxy.set('refuse')
  const answer = await fetch(`${served.origin}/api/trpc/limits.reset`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Cookie: superadmin.cookie },
    body: JSON.stringify({ ruleSet: 'view', subject: '203.0.113.9' }),
  })
  await scene.proxy.set('pass')
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
  await ready()
})
