import { describe, expect, it, vi } from 'vitest'
import { resetPassword } from '#testing/accounts/reset-password.ts'
import { createPostgresDatabase } from '#testing/servers/postgres-database.ts'
import { startApp } from '#testing/sluice/sluice-app.ts'
import { setUpCode } from './owner.ts'
import { signIn } from './sessions/sign-in.ts'

const PASSWORD = 'long enough to pass'
const SLUICE_SECRET = 'the same secret in all processes of a site'

describe('several processes over one PostgreSQL', () => {
  it('create exactly one owner in ten concurrent set-ups', async () => {
    const environment = { DATABASE_URL: await createPostgresDatabase(), SLUICE_SECRET }
    await using one = await startApp(environment)
    await using two = await startApp(environment)
    const code = setUpCode(SLUICE_SECRET)
    const ten = Array.from({ length: 10 }, (_, at) =>
      (at % 2 ? one : two)
        .as(null, `198.51.100.${at}`)
        .setup.createOwner({ code, username: `owner-${at}`, password: PASSWORD }),
    )
    const results = await Promise.allSettled(ten)
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1)
    expect(await one.app.db.user.count()).toBe(1)
  })

  it('keep one of three superadmins who demote one another at once', async () => {
    await using one = await startApp({ DATABASE_URL: await createPostgresDatabase(), SLUICE_SECRET })
    const three = await Promise.all([1, 2, 3].map(() => one.person({ role: 'superadmin' })))
    await Promise.allSettled(
      three.flatMap((person) =>
        three.map((other) => one.as(person).user.update({ id: other.viewer.userId, role: 'admin' })),
      ),
    )
    expect(await one.app.db.user.count({ where: { role: 'superadmin' } })).toBe(1)
  })

  it('apply a ban made by another process from the next request on', async () => {
    const environment = { DATABASE_URL: await createPostgresDatabase(), SLUICE_SECRET }
    await using one = await startApp(environment)
    await using two = await startApp(environment)
    const [owner, person] = [await one.person({ role: 'superadmin' }), await one.person()]
    expect(await two.app.findViewer({ cookie: person.cookie })).toMatchObject({ userId: person.viewer.userId })
    await one.as(owner).user.ban({ id: person.viewer.userId })
    expect(await two.app.findViewer({ cookie: person.cookie })).toBeNull()
  })

  it('keep no session of an old password from sign-ins concurrent with its change', async () => {
    await using one = await startApp({ DATABASE_URL: await createPostgresDatabase(), SLUICE_SECRET })
    const owner = await one.person({ role: 'superadmin' })
    const { viewer } = await one.person({ password: PASSWORD })
    const signIns = Array.from({ length: 40 }, (_, at) =>
      signIn(
        one.app,
        { username: viewer.username, password: PASSWORD, address: `198.51.100.${at}`, userAgent: '' },
        async () => {},
      ),
    )
    await Promise.all([...signIns, resetPassword(one, owner, viewer.userId, 'quite another password')])
    expect(await one.app.db.session.count({ where: { userId: viewer.userId } })).toBe(0)
  })

  it('accept an invite for three uses exactly three times under concurrent sign-ups', async () => {
    await using one = await startApp({ DATABASE_URL: await createPostgresDatabase(), SLUICE_SECRET })
    const owner = await one.person({ role: 'superadmin' })
    const { code: invite } = await one.as(owner).invite.create({ uses: 3 })
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, (_, at) =>
        one.as(null, `198.51.100.${at}`).account.signUp({ username: `invited-${at}`, password: PASSWORD, invite }),
      ),
    )
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(3)
  })

  it('delete no invite early because of a process whose clock is ahead', async () => {
    await using one = await startApp({ DATABASE_URL: await createPostgresDatabase(), SLUICE_SECRET })
    const owner = one.as(await one.person({ role: 'superadmin' }))
    const { id } = await owner.invite.create({ days: 90 })
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 365 * 24 * 60 * 60_000 })
    await owner.invite.create({}).finally(() => vi.useRealTimers())
    expect(await one.app.db.invite.count({ where: { id } })).toBe(1)
  })
})
