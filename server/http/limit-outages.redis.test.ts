import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signIn } from '#server/accounts/sessions/sign-in.ts'
import { behindProxy, read, sendUpload } from '#testing/image-client.ts'
import { type FaultyRedis, redisFaults, startFaultyRedis } from '#testing/limits/redis-faults.ts'
import { picture } from '#testing/pictures.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice-app.ts'
import { type StoredImage, storeImageOf } from '#testing/stored-image.ts'

const PASSWORD = 'a password of this test'
const READY_WITHIN_MS = 5_000

let scene: FaultyRedis
let served: TestApp
let owner: Person
let image: StoredImage
let photo: Buffer
beforeAll(async () => {
  scene = await startFaultyRedis()
  served = await startApp({ ...behindProxy, REDIS_URL: scene.url })
  owner = await served.person({ password: PASSWORD })
  image = await storeImageOf(served, owner, { visibility: 'public' })
  photo = await picture()
})
afterAll(async () => {
  await served[Symbol.asyncDispose]()
  await scene[Symbol.asyncDispose]()
})

const ready = () => expect.poll(() => served.app.limiter.status(), { timeout: READY_WITHIN_MS }).toBe('ready')

let addresses = 0
/** The right password, from an address of its own. */
async function signInNow() {
  addresses += 1
  const attempt = { username: owner.viewer.username, password: PASSWORD, userAgent: 'test' }
  return signIn(served.app, { ...attempt, address: `198.51.100.${addresses}` })
}

/** In the end: where the machine is busy Redis may be late for a single call too, and nobody is signed in meanwhile. */
const signsIn = () => expect.poll(async () => (await signInNow()).outcome).toBe('signed-in')

function changePassword(): Promise<Response> {
  return fetch(`${served.origin}/api/trpc/account.changePassword`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Cookie: owner.cookie },
    body: JSON.stringify({ currentPassword: 'wrong', newPassword: 'a longer password than that' }),
  })
}

describe.each(redisFaults)('the whole server during $name', (fault) => {
  test('signs nobody in and says when to come back, keeps reading and uploading, and recovers by itself', async () => {
    await ready()
    await signsIn()
    await fault.begin(scene)
    try {
      // Whoever comes first has Redis wait for its deadline.
      expect((await read(image.url)).status).toBe(200)
      expect(await signInNow()).toMatchObject({
        outcome: 'limited',
        decision: { allowed: false, decidedBy: 'policy', retryAfterMs: 5_000 },
      })
      const refused = await changePassword()
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

test('a reset while Redis is away is an outage, with a time to come back', async () => {
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
