import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertBareImage } from '#testing/library/insert-image.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'

let app: TestApp
let owner: Person

beforeAll(async () => {
  app = await startApp()
  const root = await app.person({ role: 'superadmin' })
  for (const ruleSet of ['search-whole', 'count', 'storage-view']) {
    const terms = { rules: [{ limit: 1, window: '1h' as const }] }
    await app.as(root).limits.override({ ruleSet, target: { kind: 'all' }, terms })
  }
})
afterAll(() => app[Symbol.asyncDispose]())

async function upload(amount: number): Promise<void> {
  for (let at = 0; at < amount; at += 1) await insertBareImage(app.app.db, owner.viewer.userId, { title: `boat ${at}` })
}

/** Asks for a procedure over HTTP. */
async function ask(path: string, input?: object) {
  const query = input ? `?input=${encodeURIComponent(JSON.stringify(input))}` : ''
  const answer = await fetch(`${app.origin}/api/trpc/${path}${query}`, { headers: { cookie: owner.cookie } })
  const { headers, status } = answer
  const { result, error } = await answer.json()
  return {
    status,
    data: result?.data,
    error,
    degraded: headers.get('sluice-degraded'),
    limits: headers.get('ratelimit'),
    kept: headers.get('cache-control'),
  }
}

const boats = { query: { text: 'boat' }, limit: 20 }
const titlesOf = ({ data }: { data: { items: { title: string }[] } }) => data.items.map(({ title }) => title)

test('a searched list answers twelve images, which lead on, and remembers for a minute which they are', async () => {
  owner = await app.person()
  await upload(30)
  const whole = await ask('image.list', boats)
  expect([whole.status, whole.data.items.length, whole.degraded]).toEqual([200, 20, null])
  const [first, second] = whole.data.items
  await app.as(owner).image.update({ id: first.id, title: 'ship' })
  await app.as(owner).image.delete({ id: second.id })

  const less = await ask('image.list', boats)
  expect(less).toMatchObject({ status: 200, degraded: 'search-whole-1h', kept: 'no-store' })
  // Which images is remembered, and what they are now is read: one has another title, and one is in the trash.
  expect(titlesOf(less)).toEqual(['ship', ...titlesOf(whole).slice(2, 12)])

  const next = await ask('image.list', { ...boats, cursor: less.data.nextCursor })
  expect([next.degraded, titlesOf(next)]).toEqual(['search-whole-1h', expect.any(Array)])
  expect(titlesOf(next).slice(0, 8)).toEqual(titlesOf(whole).slice(12))
  expect(titlesOf(next)).toHaveLength(12)
  const end = await ask('image.list', { ...boats, cursor: next.data.nextCursor })
  expect([titlesOf(end).length, end.data.nextCursor]).toEqual([6, null])
})

test('lists that are not searched stay whole', async () => {
  owner = await app.person()
  await upload(15)
  for (let at = 0; at < 2; at += 1) {
    await ask('image.list', boats)
    const list = await ask('image.list', {})
    expect([list.data.items.length, list.degraded]).toEqual([15, null])
  }
})

test.each([
  ['image.count', 'count-1h', { query: { text: 'boat' } }],
  ['image.storage', 'storage-view-1h', undefined],
])('%s repeats what its caller was last told, and refuses what nobody was', async (path, policy, input) => {
  owner = await app.person()
  await upload(3)
  const told = await ask(path, input)
  expect([told.status, told.degraded]).toEqual([200, null])
  await upload(1)
  const repeated = await ask(path, input)
  expect(repeated).toMatchObject({ status: 200, degraded: policy, kept: 'no-store' })
  expect(repeated.data).toEqual({ ...told.data, asOf: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) })

  owner = await app.person()
  expect((await ask(path, input)).data).not.toEqual(told.data)
})

test('figures that nobody was told are refused with the wait, and nothing else is charged', async () => {
  owner = await app.person()
  await ask('image.count', { query: { text: 'boat' } })
  const refused = await ask('image.count', { query: { text: 'sea' } })
  expect(refused).toMatchObject({
    status: 429,
    limits: expect.stringMatching(/^"count-1h";r=0;t=\d+$/),
    degraded: null,
  })
  expect(refused.error.data.limit.policy).toBe('count-1h')
})
