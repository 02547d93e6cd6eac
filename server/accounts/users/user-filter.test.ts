import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Person, startApp, type TestApp, type TestCaller } from '#testing/sluice/sluice-app.ts'

const DAY = 24 * 60 * 60 * 1_000
const ago = (days: number) => new Date(Date.now() - days * DAY)

let test: TestApp
let owner: Person
beforeAll(async () => {
  test = await startApp({ SLUICE_QUOTA: '1KB' })
  owner = await test.person({ role: 'superadmin' })
  const people = [
    { username: 'ann', usedBytes: 0n, lastSeenAt: ago(0.01), displayName: 'Zoë Z' },
    { username: 'ben', usedBytes: 900n, lastSeenAt: ago(3), role: 'admin' },
    { username: 'cid', usedBytes: 930n, lastSeenAt: ago(20), shared: true },
    { username: 'dee', usedBytes: 1_100n, lastSeenAt: ago(100), bannedAt: new Date(), banReason: 'spam' },
    { username: 'eve', usedBytes: 1_100n, quotaBytes: 5_000n },
  ] as const
  for (const [at, person] of people.entries()) {
    const data = { ...person, usernameKey: person.username, passwordHash: '', createdAt: ago(at) }
    await test.app.db.user.create({ data })
  }
})
afterAll(() => test[Symbol.asyncDispose]())

type Filter = Parameters<TestCaller['user']['list']>[0]
const known = ['ann', 'ben', 'cid', 'dee', 'eve']
const names = async (filter: Filter, person = owner) => {
  const { items } = await test.as(person).user.list(filter)
  return items.map(({ username }) => username).filter((name) => known.includes(name))
}

describe('a list of users', () => {
  it.each<[Filter, readonly string[]]>([
    [{}, known],
    [{ role: 'admin' }, ['ben']],
    [{ state: 'active' }, ['ann', 'ben', 'cid', 'eve']],
    [{ state: 'banned' }, ['dee']],
    [{ state: 'shared' }, ['cid']],
    [{ state: 'never' }, ['eve']],
    [{ use: 'none' }, ['ann']],
    [{ use: 'some' }, ['ben', 'cid', 'dee', 'eve']],
    [{ use: 'near' }, ['cid', 'dee']],
    [{ use: 'over' }, ['dee']],
    [{ seen: 'day' }, ['ann']],
    [{ seen: 'week' }, ['ann', 'ben']],
    [{ seen: 'month' }, ['ann', 'ben', 'cid']],
    [{ seen: 'idle' }, ['dee']],
    [{ search: 'ZOË' }, ['ann']],
    [{ search: 'N', use: 'none' }, ['ann']],
    [{ sort: 'seen' }, ['ann', 'ben', 'cid', 'dee', 'eve']],
    [{ sort: 'joined' }, ['ann', 'ben', 'cid', 'dee', 'eve']],
  ])('for %j has %j', async (filter, expected) => expect(await names(filter)).toEqual(expected))

  it.each(['name', 'seen', 'used', 'joined'] as const)(
    'by %s has every user once, however short its pages',
    async (sort) => {
      const { items, total } = await test.as(owner).user.list({ sort })
      expect(total).toBe(6)
      const paged: string[] = []
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const page = await test.as(owner).user.list({ sort, limit: 1, ...(cursor && { cursor }) })
        paged.push(...page.items.map(({ username }) => username))
        cursor = page.nextCursor
      }
      expect(paged).toEqual(items.map(({ username }) => username))
      if (sort === 'used') expect(paged.filter((name) => known.includes(name)).slice(2)).toEqual(['cid', 'ben', 'ann'])
    },
  )

  it('shows why a user is banned and when they were seen to admins, but not to users of a shared account', async () => {
    const [admin, shared] = [await test.person({ role: 'admin' }), await test.person({ role: 'admin', shared: true })]
    const shown = async (person: Person) => {
      const [dee] = (await test.as(person).user.list({ search: 'dee' })).items
      return [dee?.banReason, dee?.lastSeenAt?.slice(0, 10)]
    }
    expect(await shown(admin)).toEqual(['spam', ago(100).toISOString().slice(0, 10)])
    expect(await shown(shared)).toEqual([null, undefined])
    // What they may not see, they cannot find out by filters or by the order either.
    expect(await names({ seen: 'idle' }, shared)).toEqual([])
    expect(await names({ state: 'never' }, shared)).toEqual(known)
    await test.app.db.user.deleteMany({ where: { id: { in: [admin, shared].map(({ viewer }) => viewer.userId) } } })
  })

  it.each(['x', 'bnVsbA', Buffer.from('["a","b"]').toString('base64url')])('refuses the cursor %s', async (cursor) => {
    await expect(test.as(owner).user.list({ cursor })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  })
})

describe('quotas of several users', () => {
  it('are set together; the answer says whose were not, and can be undone', async () => {
    const [a, b] = [await test.person(), await test.person()]
    const ids = [a.viewer.userId, b.viewer.userId, crypto.randomUUID()]
    const set = test.as(owner).user.setQuotas
    await set({ changes: [{ id: ids[0] ?? '', quotaBytes: 7 }] })
    const { items } = await set({ changes: ids.map((id) => ({ id, quotaBytes: 50 })) })
    expect(items.map((each) => [each.outcome, each.outcome === 'done' && each.previous])).toEqual([
      ['done', 7],
      ['done', null],
      ['user-not-found', false],
    ])
    await test.as(owner).user.update({ id: b.viewer.userId, quotaBytes: 60 })
    const undo = items.flatMap((each) =>
      each.outcome === 'done' ? [{ id: each.id, quotaBytes: each.previous, from: each.user.quotaBytes }] : [],
    )
    expect((await set({ changes: undo })).items.map(({ outcome }) => outcome)).toEqual(['done', 'quota-changed'])
    const users = await test.app.db.user.findMany({
      where: { id: { in: ids } },
      select: { id: true, quotaBytes: true },
    })
    expect(new Map(users.map(({ id, quotaBytes }) => [id, quotaBytes]))).toEqual(
      new Map([
        [ids[0], 7n],
        [ids[1], 60n],
      ]),
    )
    const entries = await test.app.db.auditEntry.count({ where: { action: 'user.setQuotas' } })
    expect(entries).toBe(4)
  })

  it('name each user once', async () => {
    const change = { id: owner.viewer.userId, quotaBytes: 1 }
    const call = test.as(owner).user.setQuotas({ changes: [change, change] })
    await expect(call).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  })
})

describe('the last request of a user', () => {
  it('is recorded once in ten minutes', async () => {
    const person = await test.person()
    const where = { id: person.viewer.userId }
    const seen = async () => (await test.app.db.user.findUniqueOrThrow({ where })).lastSeenAt?.getTime() ?? null
    const request = () => test.app.findViewer({ cookie: person.cookie })
    const at = async (lastSeenAt: Date | null) => {
      await test.app.db.user.update({ where, data: { lastSeenAt } })
      await request()
      return seen()
    }
    const recent = new Date(Date.now() - 9 * 60_000)
    expect(await at(recent)).toBe(recent.getTime())
    const before = Date.now()
    expect(await at(new Date(before - 11 * 60_000))).toBeGreaterThanOrEqual(before)
    expect(await at(null)).toBeGreaterThanOrEqual(before)
  })
})
