import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type PostgresBehindProxy, startPostgresBehindProxy } from '#testing/servers/postgres-behind-proxy.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'
import { within } from '#testing/within.ts'

let postgres: PostgresBehindProxy
let one: TestApp
let other: TestApp
let root: Person
beforeAll(async () => {
  postgres = await startPostgresBehindProxy()
  const own = { SLUICE_TRUSTED_PROXIES: '127.0.0.1' }
  one = await startApp({ ...own, DATABASE_URL: postgres.direct })
  other = await startApp({ ...own, DATABASE_URL: postgres.url, SLUICE_SECRET: one.app.config.secret })
  root = await one.person({ role: 'superadmin' })
})
afterAll(async () => {
  await other[Symbol.asyncDispose]()
  await one[Symbol.asyncDispose]()
  await postgres[Symbol.asyncDispose]()
})

const WITHIN_A_WHILE = { timeout: 60_000, interval: 50 }

const statusFor = async ({ origin }: TestApp, address: string) =>
  (await fetch(`${origin}/healthz`, { headers: { 'X-Forwarded-For': address } })).status

/** Returns the limits that a process applies. */
async function limitsIn({ app }: TestApp) {
  const sets = app.limitAdmin.catalogue.ruleSets.get('account-change')?.compiled ?? []
  const caller = { address: '192.0.2.1', ...root.viewer }
  return (await app.limiter.peek([{ sets, caller }])).rules.map(({ limit }) => limit)
}

describe('over one PostgreSQL without Redis, a change by one process applies in the other within a second', () => {
  it('to blocked addresses', async () => {
    const { access } = one.as(root)
    expect(await statusFor(other, '192.0.2.9')).toBe(200)
    await access.setRule({ cidr: '192.0.2.0/24', verdict: 'deny' })
    await within(1_000, async () => expect(await statusFor(other, '192.0.2.9')).toBe(403))
    await access.setRule({ cidr: '192.0.2.0/24', verdict: 'allow' })
    await within(1_000, async () => expect(await statusFor(other, '192.0.2.9')).toBe(200))
    await access.removeRule({ cidr: '192.0.2.0/24' })
  })

  it('to the sites allowed to embed images', async () => {
    const setTo = (isOn: boolean) =>
      one.as(root).access.setHotlink({ isOn, sites: ['friend.example'], allowsEmpty: true, answer: 'refusal' })
    await setTo(true)
    await within(1_000, () => expect(other.app.access.hotlink).not.toBeNull())
    await setTo(false)
    await within(1_000, () => expect(other.app.access.hotlink).toBeNull())
  })

  it('to limits', async () => {
    const all = { ruleSet: 'account-change', target: { kind: 'all' } } as const
    const declared = await limitsIn(other)
    await one.as(root).limits.override({ ...all, terms: { rules: [{ limit: 3, window: '1h' }] } })
    await within(1_000, async () => expect(await limitsIn(other)).toEqual([3]))
    await one.as(root).limits.clear(all)
    await within(1_000, async () => expect(await limitsIn(other)).toEqual(declared))
  })

  it('and once the database recovers from an outage', async () => {
    await postgres.proxy.set('refuse')
    await one.as(root).access.setRule({ cidr: '192.0.2.0/24', verdict: 'deny' })
    const warn = vi.spyOn(other.app.log, 'warn')
    const failed = [expect.anything(), 'the access rules could not be read']
    await vi.waitFor(() => expect(warn.mock.calls).toContainEqual(failed), WITHIN_A_WHILE)
    expect(await statusFor(other, '192.0.2.9')).toBe(200)
    await postgres.proxy.set('pass')
    await vi.waitFor(async () => expect(await statusFor(other, '192.0.2.9')).toBe(403), WITHIN_A_WHILE)
  })
})
