import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formatsFor } from '#format/formats.ts'
import { parseEmail } from '#server/accounts/email/address.ts'
import { signIn } from '#server/accounts/sessions/sign-in.ts'
import { linkIn } from '#testing/accounts/reset-password.ts'
import { currentCode } from '#testing/accounts/second-factor.ts'
import { jobsDone } from '#testing/jobs/jobs-done.ts'
import { insertBareImage } from '#testing/library/insert-image.ts'
import {
  type ReceivedMail,
  readHeader,
  readLink,
  readPart,
  startMailServer,
  type TestMailServer,
} from '#testing/servers/mail-server.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'

const [OLD, FRESH] = ['the old one is long', 'a fresh one as long']
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'

let mailServer: TestMailServer
let test: TestApp
beforeAll(async () => {
  const refuse = (to: string) => (to.startsWith('gone') ? { code: 550, text: `no ${to}` } : null)
  mailServer = await startMailServer({ refuse })
  test = await startApp({
    ...{ SLUICE_NAME: 'Bilder', SLUICE_ORIGIN: 'https://images.example.org', SLUICE_SIGNUP: 'invite' },
    ...{ SLUICE_MAIL_SERVER: `smtp://127.0.0.1:${mailServer.port}`, SLUICE_MAIL_FROM: 'sluice@example.org' },
  })
})
afterAll(async () => {
  await test[Symbol.asyncDispose]()
  await mailServer[Symbol.asyncDispose]()
})

const anotherAddress = () => `198.51.${Math.floor(Math.random() * 256)}.${Math.floor(Math.random() * 256)}`
const guest = () => test.as(null, anotherAddress())
const nameFor = ({ viewer }: Person) => viewer.username
const addressFor = (person: Person) => `${nameFor(person)}@Example.ORG`

interface Kind {
  readonly role?: 'user' | 'superadmin'
  readonly shared?: boolean
  readonly locale?: string
  readonly email?: string
}

/** An account with a confirmed address. */
async function reader({ locale, email, ...kind }: Kind = {}): Promise<Person> {
  const person = await test.person({ password: OLD, ...kind })
  const text = email ?? addressFor(person)
  const data = {
    email: text,
    emailKey: parseEmail(text)?.key ?? '',
    emailVerifiedAt: new Date(),
    ...(locale && { locale }),
  }
  await test.app.db.user.update({ where: { id: person.viewer.userId }, data })
  return person
}

/** Returns the mails that something leads to. */
async function mailsOf(act: () => Promise<unknown>): Promise<readonly ReceivedMail[]> {
  await jobsDone(test.app)
  const before = mailServer.received.length
  await act()
  await jobsDone(test.app)
  return mailServer.received.slice(before)
}

const titles = (mails: readonly ReceivedMail[]) => mails.map((mail) => `${mail.to} ${readHeader(mail, 'Subject')}`)
const forget = (login: string) => guest().account.forgotPassword({ login })
const signsIn = async (person: Person, password: string, userAgent = 'curl/8', address = anotherAddress()) =>
  (await signIn(test.app, { username: nameFor(person), password, address, userAgent })).outcome

async function jobRows(): Promise<string> {
  return JSON.stringify(
    await test.app.db.$queryRaw`SELECT "data", "output"::text FROM "jobs"."job" WHERE "name" = 'mail'`,
  )
}

describe('a forgotten password', () => {
  it('is replaced by a link that is mailed, works once and signs out all devices', async () => {
    const person = await reader()
    const [mail, ...others] = await mailsOf(() => forget(nameFor(person)))
    expect(others).toEqual([])
    expect(titles(mail ? [mail] : [])).toEqual([`${addressFor(person).toLowerCase()} Set a new password`])
    const url = readLink(mail ?? { raw: '' })
    expect(url).toMatch(/^https:\/\/images\.example\.org\/password\/[\w-]{43}$/)
    const link = linkIn(url)
    expect(await guest().account.showByLink({ link })).toMatchObject({ username: nameFor(person), isMailed: true })
    const notes = await mailsOf(() => guest().account.setPasswordByLink({ link, password: FRESH }))
    expect(titles(notes)).toEqual([`${addressFor(person).toLowerCase()} Your password has changed`])
    expect(await test.app.findViewer({ cookie: person.cookie })).toBeNull()
    expect(await signsIn(person, OLD)).toBe('wrong')
    expect(await signsIn(person, FRESH)).toBe('signed-in')
    const again = guest().account.setPasswordByLink({ link, password: OLD })
    await expect(again).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('is found by the address as well, however it is spelled, and answered in the language of its owner', async () => {
    const person = await reader({ locale: 'zh-CN' })
    const [mail] = await mailsOf(() => forget(`  ${addressFor(person).toUpperCase()} `))
    expect(readHeader(mail ?? { raw: '' }, 'Subject')).toBe('设置新密码')
    expect(readPart(mail ?? { raw: '' }, 'text/html')).toContain('<html lang="zh-CN">')
  })

  it('does not get around a second factor', async () => {
    const person = await reader()
    const { setUp, secret } = await test.as(person).identity.beginTotp()
    await test.as(person).identity.confirmTotp({ setUp, code: currentCode(secret) })
    const [mail] = await mailsOf(() => forget(nameFor(person)))
    await guest().account.setPasswordByLink({ link: linkIn(readLink(mail ?? { raw: '' })), password: FRESH })
    expect(await signsIn(person, FRESH)).toBe('second-step')
  })

  it('is answered alike, and mailed to nobody, for names that get no mail', async () => {
    const shared = await reader({ shared: true })
    const banned = await reader()
    await test.app.db.user.update({ where: { id: banned.viewer.userId }, data: { bannedAt: new Date() } })
    const unconfirmed = await test.person()
    const pendingEmail = addressFor(unconfirmed)
    await test.app.db.user.update({ where: { id: unconfirmed.viewer.userId }, data: { pendingEmail } })
    const logins = [shared, banned, unconfirmed].flatMap((person) => [nameFor(person), addressFor(person)])
    const answers: unknown[] = []
    const mails = await mailsOf(async () => {
      for (const login of [...logins, 'nobody', 'nobody@example.org', '', "' OR 1=1", '*'])
        answers.push(await forget(login))
    })
    expect(answers).toEqual(answers.map(() => ({})))
    expect(mails).toEqual([])
    expect(await test.app.db.oneTimeLink.count({ where: { userId: shared.viewer.userId } })).toBe(0)
  })

  it('can be asked for three times an hour, whoever asks and whether there is such an account', async () => {
    const person = await reader()
    for (const login of [nameFor(person), 'stranger']) {
      const spellings = [login, login.toUpperCase(), ` ${login}`]
      const mails = await mailsOf(async () => {
        for (const spelling of spellings) await forget(spelling)
      })
      expect(mails).toHaveLength(login === 'stranger' ? 0 : 3)
      await expect(forget(login)).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
      // Whoever asked before has taken no link from its owner.
      for (const mail of mails) await guest().account.showByLink({ link: linkIn(readLink(mail)) })
    }
  })

  it('leaves a link that an admin has made, and using one ends the others', async () => {
    const root = await test.person({ role: 'superadmin' })
    const person = await reader()
    const { url } = await test.as(root).user.resetPassword({ id: person.viewer.userId })
    const [mail] = await mailsOf(() => forget(nameFor(person)))
    await guest().account.showByLink({ link: linkIn(url) })
    await guest().account.setPasswordByLink({ link: linkIn(readLink(mail ?? { raw: '' })), password: FRESH })
    await expect(guest().account.showByLink({ link: linkIn(url) })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('leaves no link in jobs or in the audit', async () => {
    const person = await reader()
    const [mail] = await mailsOf(() => forget(nameFor(person)))
    const link = linkIn(readLink(mail ?? { raw: '' }))
    const [jobs, entries] = [await jobRows(), await test.app.db.auditEntry.findMany({ omit: { id: true } })]
    expect(jobs).toContain('"kind":"reset"')
    expect(jobs + JSON.stringify(entries)).not.toContain(link)
    // Nor what was entered: people type passwords there.
    expect(jobs).not.toContain(nameFor(person))
  })
})

describe('an address', () => {
  const email = async ({ viewer }: Person) => {
    const select = { email: true, emailKey: true, pendingEmail: true }
    return test.app.db.user.findUniqueOrThrow({ where: { id: viewer.userId }, select })
  }
  const enter = (person: Person, text: string) => mailsOf(() => test.as(person).account.setEmail({ email: text }))
  const linkOf = (mails: readonly ReceivedMail[]) => linkIn(readLink(mails[0] ?? { raw: '' }))
  const confirm = (link: string) => guest().account.confirmEmailByLink({ link })

  it('is the account’s once its link is used, which opening it is not', async () => {
    const person = await test.person()
    const mails = await enter(person, 'Ada@Bücher.example')
    expect(mails.map((mail) => readHeader(mail, 'To'))).toEqual(['Ada@xn--bcher-kva.example'])
    const link = linkOf(mails)
    const shown = await guest().account.showEmailLink({ link })
    expect(shown).toEqual({ username: nameFor(person), email: 'Ada@Bücher.example' })
    expect(await email(person)).toEqual({ email: null, emailKey: null, pendingEmail: 'Ada@Bücher.example' })
    expect(await mailsOf(() => forget('ada@bücher.example'))).toEqual([])
    await confirm(link)
    expect(await email(person)).toEqual({
      email: 'Ada@Bücher.example',
      emailKey: 'ada@xn--bcher-kva.example',
      pendingEmail: null,
    })
    await expect(confirm(link)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await mailsOf(() => forget('ada@BÜCHER.example'))).toHaveLength(1)
  })

  it('that is replaced is told, and links to one that is no longer wanted are void', async () => {
    const person = await reader()
    const first = linkOf(await enter(person, 'first@example.net'))
    const second = linkOf(await enter(person, 'second@example.net'))
    await expect(confirm(first)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await email(person)).toMatchObject({ email: addressFor(person) })
    const [reset] = await mailsOf(() => forget(nameFor(person)))
    const mails = await mailsOf(() => confirm(second))
    const { raw } = reset ?? { raw: '' }
    await expect(guest().account.showByLink({ link: linkIn(readLink({ raw })) })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    expect(titles(mails)).toEqual([`${addressFor(person).toLowerCase()} Address removed from your account`])
    const removed = await mailsOf(() => test.as(person).account.removeEmail())
    expect(titles(removed)).toEqual(['second@example.net Address removed from your account'])
    expect(await email(person)).toEqual({ email: null, emailKey: null, pendingEmail: null })
  })

  it('is one account’s alone, which is told to whoever reads its mail and to nobody else', async () => {
    const [one, other] = [await reader(), await test.person()]
    const link = linkOf(await enter(other, addressFor(one).toUpperCase()))
    await expect(confirm(link)).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await email(other)).toMatchObject({ email: null })
    expect(await email(one)).toMatchObject({ email: addressFor(one) })
  })

  it('that two accounts confirm at once becomes one’s', async () => {
    const people = [await test.person(), await test.person()]
    const links: string[] = []
    for (const person of people) links.push(linkOf(await enter(person, 'both@example.net')))
    const outcomes = await Promise.allSettled(links.map(confirm))
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await test.app.db.user.count({ where: { emailKey: 'both@example.net' } })).toBe(1)
  })

  it('that mail programs could read as another is refused, and no mail sent', async () => {
    const person = await test.person()
    const hostile = [
      '"e@attacker.example"@victim.example',
      'a@x.example,b@y.example',
      'a@x.example\r\nBcc: b@y.example',
    ]
    const mails = await mailsOf(async () => {
      for (const text of hostile)
        await expect(test.as(person).account.setEmail({ email: text })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    })
    expect(mails).toEqual([])
  })

  it('is seen by admins, but by no shared one', async () => {
    const person = await reader()
    const listed = async (kind: { role: 'admin'; shared: boolean }) => {
      const { items } = await test.as(await test.person(kind)).user.list({ search: nameFor(person) })
      return items.map((item) => item.email)
    }
    expect(await listed({ role: 'admin', shared: false })).toEqual([addressFor(person)])
    expect(await listed({ role: 'admin', shared: true })).toEqual([null])
  })
})

describe('notes', () => {
  it('are sent of a browser that the account does not know, once', async () => {
    const person = await reader()
    const address = anotherAddress()
    const [mail, ...others] = await mailsOf(async () => {
      await signsIn(person, OLD, FIREFOX, address)
      await signsIn(person, OLD, FIREFOX, address)
    })
    expect(others).toEqual([])
    const text = readPart(mail ?? { raw: '' }, 'text/plain')
    expect(text).toContain('Browser: Firefox on Linux')
    expect(text).toContain(`IP address: ${address}`)
    const odd = await mailsOf(() => signsIn(person, OLD, 'evil.example https://evil.example', address))
    expect(readPart(odd[0] ?? { raw: '' }, 'text/plain')).toContain('Browser: Another program')
    expect(odd[0]?.raw).not.toContain('evil')
  })

  it('are sent of a changed password and of each changed factor', async () => {
    const person = await reader()
    const { identity, account } = test.as(person)
    const mails = await mailsOf(async () => {
      const { setUp, secret } = await identity.beginTotp()
      await identity.confirmTotp({ setUp, code: currentCode(secret) })
      await jobsDone(test.app)
      await identity.remakeRecoveryCodes()
      await jobsDone(test.app)
      await identity.removeTotp()
      await jobsDone(test.app)
      await account.changePassword({ currentPassword: OLD, newPassword: FRESH })
    })
    expect(mails.map((mail) => readHeader(mail, 'Subject'))).toEqual([
      'Authenticator app set up',
      'New recovery codes',
      'Authenticator app removed',
      'Your password has changed',
    ])
  })

  it('stop at ten an hour to one address', async () => {
    const person = await reader()
    const mails = await mailsOf(async () => {
      for (let at = 0; at < 12; at += 1) await signsIn(person, OLD, `Firefox/${at} Linux`, anotherAddress())
    })
    expect(mails).toHaveLength(10)
    expect(await jobRows()).toContain('limited')
  })
})

describe('warnings', () => {
  const warn = (
    type: 'budget.near' | 'budget.spent' | 'share.near' | 'share.spent',
    data: Record<string, string | number>,
  ) => ({ type, timestamp: new Date().toISOString(), data }) as const
  const announce = (event: Parameters<TestApp['app']['mail']['warn']>[1]) =>
    mailsOf(() => test.app.db.$transaction((tx) => test.app.mail.warn(tx, event)))

  it('of budgets go to superadmins', async () => {
    const root = await reader({ role: 'superadmin' })
    const data = { period: 'day', unit: 'reads', limit: 100, used: 80 }
    const mails = await announce(warn('budget.near', data))
    expect(titles(mails)).toEqual([`${addressFor(root).toLowerCase()} Budget nearly spent`])
    expect(readPart(mails[0] ?? { raw: '' }, 'text/plain')).toContain(
      `Reads per day: ${formatsFor('en').share(0.8)} of the budget is used.`,
    )
    await test.app.db.user.update({ where: { id: root.viewer.userId }, data: { role: 'user' } })
    expect(await announce(warn('budget.spent', { ...data, used: 100 }))).toEqual([])
  })

  it('of a share go to its owner, who can switch them off', async () => {
    const owner = await reader()
    const { id: image } = await insertBareImage(test.app.db, owner.viewer.userId)
    const share = await test.as(owner).share.create({ target: { images: [image] }, title: '<b>Ferien</b> & mehr' })
    const data = { id: share.id, limit: 'bytesPerDay', amount: 1024, used: 1024 }
    const event = { ...warn('share.spent', {}), data: { ...data, owner: { id: owner.viewer.userId, username: 'x' } } }
    const [mail] = await announce(event)
    expect(readPart(mail ?? { raw: '' }, 'text/plain')).toContain(
      '“<b>Ferien</b> & mehr” has reached its limit of 1 KiB a day',
    )
    expect(readPart(mail ?? { raw: '' }, 'text/html')).toContain('“&lt;b&gt;Ferien&lt;/b&gt; &amp; mehr”')
    await test.as(owner).account.setShareMails({ wants: false })
    expect(await announce(event)).toEqual([])
  })
})

describe('an invite', () => {
  it('is mailed to an address, in no job that can be read', async () => {
    const root = await test.person({ role: 'superadmin' })
    const made: { code: string; email: string | null }[] = []
    const [mail] = await mailsOf(async () => made.push(await test.as(root).invite.create({ email: 'Eve@example.org' })))
    expect(readHeader(mail ?? { raw: '' }, 'Subject')).toBe('You are invited to Bilder')
    const invite = new URL(readLink(mail ?? { raw: '' })).searchParams.get('invite') ?? ''
    expect(made).toMatchObject([{ code: invite, email: 'Eve@example.org' }])
    expect(await jobRows()).not.toContain(invite)
    await guest().account.signUp({ username: 'eve-invited', password: FRESH, invite })
  })

  it('that a mailbox refuses has failed at once, and superadmins see why, without the address', async () => {
    const root = await test.person({ role: 'superadmin' })
    await mailsOf(() => test.as(root).invite.create({ email: 'gone@example.org' }))
    const { items } = await test.as(root).job.list()
    const failed = items.filter(({ name, state }) => name === 'mail' && state === 'failed')
    expect(failed).toMatchObject([{ attempts: 1, errorText: { code: 'mail-refused', params: { reply: '550 no …' } } }])
  })
})

it('the settings can be tried, and the answer says what failed', async () => {
  const root = await test.person({ role: 'superadmin' })
  const mails = await mailsOf(() => test.as(root).mail.test({ to: 'ada@example.org' }))
  expect(titles(mails)).toEqual(['ada@example.org Mail works'])
  await expect(test.as(root).mail.test({ to: 'gone@example.org' })).rejects.toMatchObject({
    message: expect.stringContaining('The mail server 127.0.0.1 refused the mail: 550 no …'),
  })
})
