import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { signIn } from '#server/accounts/sessions/sign-in.ts'
import type { AuditAction } from '#server/audit/actions.ts'
import { commandLine, toActor, writeAudit } from '#server/audit/audit.ts'
import { ACCOUNT_ENTRIES, ADDRESS_ENTRIES, ADDRESS_ENTRIES_OF_ACCOUNT } from '#server/audit/failed-places.ts'
import { purgeEntries } from '#server/audit/retention.ts'
import { SIGN_IN_ENTRIES } from '#server/audit/sign-ins.ts'
import type { Person, TestApp } from './sluice-app.ts'

const PASSWORD = 'a password for all'
const HOSTILE = `\u202e=HYPERLINK("http://a")<script>,"'\r\n`

/** What holds of the audit on either database. */
export function auditSuite(start: () => Promise<TestApp>): void {
  let test: TestApp
  let root: Person
  let admin: Person
  let anna: Person
  beforeAll(async () => {
    test = await start()
    root = await test.person({ role: 'superadmin' })
    admin = await test.person({ role: 'admin' })
    anna = await test.person({ password: PASSWORD })
  })
  afterAll(() => test[Symbol.asyncDispose]())
  beforeEach(() => test.app.db.auditEntry.deleteMany())

  const idFor = ({ viewer }: Person) => viewer.userId
  const failures = () => test.app.db.auditEntry.findMany({ where: { action: 'account.signInFailed' } })
  const sum = (entries: readonly { times: number }[]) => entries.reduce((total, { times }) => total + times, 0)
  const list = (by: Person, filter: Parameters<ReturnType<typeof test.as>['audit']['list']>[0] = {}) =>
    test.as(by).audit.list(filter)
  const actions = ({ items }: { items: readonly { action: string }[] }) => items.map(({ action }) => action)

  /** Writes an entry for an act of `by`, or of the command line. */
  const write = (
    action: AuditAction,
    by: Person | null,
    more: { target?: string; account?: Person; after?: { note: string }; address?: string } = {},
  ) => {
    const { target = 'x', account, after = null, address = '192.0.2.1' } = more
    const call = { requestId: 'r1', caller: { address }, header: () => 'Firefox' }
    const actor = by ? toActor({ ...call, viewer: by.viewer }) : commandLine()
    const about = account ? { id: idFor(account), username: account.viewer.username } : null
    return test.app.db.$transaction((tx) =>
      writeAudit(tx, actor, { action, target, account: about, before: null, after }),
    )
  }

  describe('sign-ins', () => {
    const attempt = (password: string, address: string, userAgent = 'Firefox') =>
      signIn(test.app, { username: anna.viewer.username, password, address, userAgent, requestId: 'r1' })

    it('that fail or succeed at the same time are counted exactly', async () => {
      const wrong = Array.from({ length: 8 }, (_, at) => attempt('a wrong guess', `198.51.${at}.1`))
      const right = Array.from({ length: 4 }, () => attempt(PASSWORD, '203.0.113.1'))
      await Promise.all([...wrong, ...right])
      await test.app.failedSignIns.flush()
      expect(sum(await failures())).toBe(8)
      const successes = await test.app.db.auditEntry.findMany({ where: { action: 'account.signIn' } })
      expect(successes).toMatchObject([{ times: 4, address: '203.0.113.1', userAgent: 'Firefox', requestId: 'r1' }])
    })

    it('that succeed from ever new addresses take a limited number of entries', async () => {
      const { userId, username } = anna.viewer
      const entry = { actorId: userId, actorName: username, accountId: userId, target: '', requestId: '' } as const
      const data = Array.from({ length: SIGN_IN_ENTRIES }, (_, at) => ({
        ...{ ...entry, action: 'account.signIn', address: `192.0.2.${at}`, userAgent: '', at: new Date() },
      }))
      await test.app.db.auditEntry.createMany({ data })
      for (const address of ['198.51.100.1', '198.51.100.2', '192.0.2.1']) await attempt(PASSWORD, address, '')
      const entries = await test.app.db.auditEntry.findMany({ where: { times: { gt: 1 } }, orderBy: { id: 'asc' } })
      expect(entries).toMatchObject([
        { address: '192.0.2.1', times: 2 },
        { address: null, times: 2 },
      ])
      expect(await test.app.db.auditEntry.count()).toBe(SIGN_IN_ENTRIES + 1)
    })

    it('that fail in a flood are counted exactly in a limited number of entries, and hide no other account', async () => {
      const { app } = test
      const victim = (await test.person()).viewer
      const other = (await test.person()).viewer
      const record = (usernameKey: string | null, address: string, outcome: 'wrong' | 'limited' = 'wrong') =>
        app.failedSignIns.record({ usernameKey, outcome, address, userAgent: HOSTILE, requestId: 'r1' })
      for (let at = 0; at < 6_000; at += 1) {
        record(at % 3 === 0 ? null : `nobody${at % 700}`, `198.51.${at % 250}.${at % 7}`)
        if (at % 2 === 0) record(victim.username, `192.0.${at % 250}.1`, at % 4 === 0 ? 'wrong' : 'limited')
      }
      record(other.username, '203.0.113.9')
      await app.failedSignIns.flush()
      const entries = await failures()
      expect(sum(entries)).toBe(9_001)
      expect(entries.length).toBeLessThanOrEqual(ADDRESS_ENTRIES + ACCOUNT_ENTRIES + 2)
      const ofVictim = entries.filter(({ accountId }) => accountId === victim.userId)
      expect(sum(ofVictim)).toBe(3_000)
      expect(ofVictim.length).toBe(ADDRESS_ENTRIES_OF_ACCOUNT + 2)
      expect(entries.find(({ accountId }) => accountId === other.userId)).toMatchObject({ address: '203.0.113.9' })
      expect(JSON.stringify(entries.map(({ actorName, target }) => [actorName, target]))).not.toContain('nobody')
    })

    it('that fail while entries cannot be written are counted later', async () => {
      const { db, failedSignIns } = test.app
      await db.$executeRaw`ALTER TABLE "AuditEntry" ADD CONSTRAINT "none" CHECK ("action" <> 'account.signInFailed')`
      const one = { outcome: 'wrong', address: '192.0.2.77', userAgent: '', requestId: 'r1' } as const
      for (let at = 0; at < 5; at += 1) failedSignIns.record({ ...one, usernameKey: anna.viewer.username })
      await failedSignIns.flush()
      expect(await failures()).toEqual([])
      failedSignIns.record({ ...one, usernameKey: anna.viewer.username })
      await db.$executeRaw`ALTER TABLE "AuditEntry" DROP CONSTRAINT "none"`
      await failedSignIns.flush()
      expect(sum(await failures())).toBe(6)
    })
  })

  describe('audit.list', () => {
    it('shows superadmins everything, admins their own acts and those on users', async () => {
      await write('limits.override', root)
      await write('budget.set', admin)
      await write('user.ban', root, { account: anna })
      await write('account.signIn', anna, { account: anna })
      await write('admin.resetPassword', null, { account: anna })
      expect(actions(await list(root))).toEqual([
        ...['admin.resetPassword', 'account.signIn', 'user.ban', 'budget.set', 'limits.override'],
      ])
      expect(actions(await list(admin))).toEqual(['user.ban', 'budget.set'])
      expect(actions(await list(admin, { search: 'sign' }))).toEqual([])
    })

    it.each<[string, () => NonNullable<Parameters<typeof list>[1]>, readonly string[]]>([
      ['actor', () => ({ actor: admin.viewer.username.toUpperCase() }), ['user.ban']],
      ['the command line', () => ({ actor: 'the command line' }), ['admin.backup']],
      ['account', () => ({ account: anna.viewer.username }), ['user.ban']],
      ['nobody', () => ({ actor: 'nobody' }), []],
      ['kind', () => ({ kind: 'image' }), ['image.purge', 'image.delete']],
      ['action', () => ({ action: 'image.purge' }), ['image.purge']],
      ['address', () => ({ address: '192.0.2.1' }), ['user.ban', 'image.delete']],
      ['IPv6 address', () => ({ address: '2001:DB8::7' }), ['image.purge']],
      ['request', () => ({ requestId: 'r1' }), ['user.ban', 'image.purge', 'image.delete']],
      ['target', () => ({ target: 'image/a' }), ['image.delete']],
      ['the first part of a target', () => ({ target: 'image' }), ['image.purge', 'image.delete']],
      ['text', () => ({ search: 'SPAM 100%_' }), ['user.ban']],
      ['a pattern as text', () => ({ search: '%_%' }), []],
      ['a period', () => ({ from: '2020-01-01T00:00:00.000Z', to: '2020-02-01T00:00:00.000Z' }), []],
      ['two filters', () => ({ kind: 'image', address: '192.0.2.1' }), ['image.delete']],
    ])('filters by %s', async (_, filter, expected) => {
      await write('image.delete', root, { target: 'image/a' })
      await write('image.purge', root, { target: 'image/ab', address: '2001:db8::/64' })
      await write('user.ban', admin, { account: anna, after: { note: 'spam 100%_' } })
      await write('admin.backup', null)
      expect(actions(await list(root, filter()))).toEqual(expected)
    })

    it('pages through entries of one instant, each once', async () => {
      const entry = { actorId: idFor(root), actorName: 'root', action: 'webhook.test', target: '', requestId: '' }
      const at = new Date()
      await test.app.db.auditEntry.createMany({ data: Array.from({ length: 25 }, () => ({ ...entry, at })) })
      const seen: string[] = []
      let cursor: string | null = null
      do {
        const page = await list(root, { limit: 10, ...(cursor && { cursor }) })
        seen.push(...page.items.map(({ id }) => id))
        cursor = page.nextCursor
      } while (cursor)
      expect(new Set(seen).size).toBe(25)
      expect(seen).toEqual([...seen].sort((a, b) => Number(b) - Number(a)))
      await expect(list(root, { cursor: 'AAAA' })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
      // The database has no year 0000.
      const instant = '0000-01-01T00:00:00.000Z'
      const madeUp = Buffer.from(`${instant} 5`).toString('base64url')
      for (const input of [{ cursor: madeUp }, { from: instant }, { to: instant }])
        await expect(list(root, input)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
      await expect(test.as(root).audit.mine({ cursor: madeUp })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    })
  })

  describe('audit.mine', () => {
    it('shows what concerns the account, and not from where an administrator acted', async () => {
      await write('user.ban', root)
      await write('user.update', root, { account: anna })
      await write('token.create', anna, { account: anna })
      const { items } = await test.as(anna).audit.mine({})
      expect(items).toMatchObject([
        { action: 'token.create', address: '192.0.2.1', userAgent: 'Firefox', requestId: 'r1' },
        { action: 'user.update', address: null, userAgent: null, requestId: '' },
      ])
    })
  })

  describe('audit.export', () => {
    const exportAs = (format: 'csv' | 'json') => test.as(root).audit.export({ format, kind: 'image' })

    it('has no cell that a spreadsheet runs, and is recorded', async () => {
      await write('image.delete', root, { target: '=1+1', after: { note: HOSTILE } })
      await write('image.delete', root, { target: HOSTILE })
      const { text, entries, rest } = await exportAs('csv')
      expect([entries, rest]).toEqual([2, null])
      expect(text.split('\r\n')[0]).toBe(
        '\ufeffat,until,times,action,actor,actorId,account,accountId,target,before,after,address,userAgent,token,requestId',
      )
      expect(text).toContain(`,"'=1+1",`)
      expect(text).toContain(`,"'${HOSTILE.replaceAll('"', '""')}",`)
      expect((await list(root, { action: 'audit.export' })).items).toMatchObject([
        { actor: { id: idFor(root) }, after: { format: 'csv', kind: 'image' } },
      ])
    })

    it('is a JSON array, also if nothing matches', async () => {
      expect(JSON.parse((await exportAs('json')).text)).toEqual([])
      await write('image.delete', root, { target: HOSTILE })
      expect(JSON.parse((await exportAs('json')).text)).toMatchObject([{ target: HOSTILE, times: 1 }])
    })

    it('continues where it stopped, for its own superadmin only', async () => {
      const entry = { actorId: idFor(root), actorName: 'root', action: 'image.purge', target: '', requestId: '' }
      const at = new Date()
      await test.app.db.auditEntry.createMany({ data: Array.from({ length: 2_001 }, () => ({ ...entry, at })) })
      const first = await exportAs('json')
      const rest = first.rest ?? ''
      const second = await test.as(root).audit.export({ rest })
      expect([first.entries, second.entries, second.rest]).toEqual([2_000, 1, null])
      expect(JSON.parse(first.text + second.text)).toHaveLength(2_001)
      const another = await test.person({ role: 'superadmin' })
      await expect(test.as(another).audit.export({ rest })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
      await expect(test.as(root).audit.export({ rest: 'made up' })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
      expect(actions(await list(root, { action: 'audit.export' }))).toEqual(['audit.export'])
    })
  })

  it('entries are kept as long as the site says', async () => {
    const entry = { actorId: idFor(root), actorName: 'root', action: 'webhook.test', target: '', requestId: '' }
    const ago = (days: number) => new Date(Date.now() - days * 24 * 60 * 60 * 1_000)
    const data = Array.from({ length: 1_500 }, () => ({ ...entry, at: ago(11) }))
    await test.app.db.auditEntry.createMany({ data: [...data, { ...entry, at: ago(9) }] })
    expect(await purgeEntries(test.app.db, 0)).toBe(0)
    expect(await purgeEntries(test.app.db, 10)).toBe(1_500)
    expect(await test.app.db.auditEntry.count()).toBe(1)
  })
}
