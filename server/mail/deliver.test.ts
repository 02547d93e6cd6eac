import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FinalFailure } from '#server/jobs/job.ts'
import type { MailSettings } from '#server/site/settings.ts'
import { freePort } from '#testing/servers/free-port.ts'
import {
  readHeader,
  readPart,
  startMailServer,
  startSilentServer,
  type TestMailServer,
} from '#testing/servers/mail-server.ts'
import { connection, deliver, type Message } from './deliver.ts'
import { toMailFailure } from './failure.ts'

const account = { user: 'sluice@example.org', password: 'pass word%' }
const message: Message = {
  id: 'one',
  siteName: 'Bilder',
  to: 'ada@example.org',
  subject: 'A subject',
  text: 'Words 图片',
  html: '<p>Words 图片</p>',
}

const settings = (port: number, more: Partial<MailSettings['server']> = {}, password: string | null = null) => ({
  server: { host: '127.0.0.1', port, tls: false, user: null, ...more },
  ...{ password, from: 'sluice@example.org' },
})

const send = (to: MailSettings, about: Partial<Message> = {}, signal = new AbortController().signal) =>
  deliver({ ...message, ...about }, { settings: to, host: 'images.example.org', signal })

const failure = async (sending: Promise<void>): Promise<Error> => {
  const error = await sending.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof Error)) throw new Error('it was delivered')
  return error
}

let relay: TestMailServer
beforeAll(async () => {
  relay = await startMailServer()
})
afterAll(() => relay[Symbol.asyncDispose]())
const received = () => relay.received.at(-1) ?? { raw: '' }

test('a mail names the site as its sender, and itself as sent by a program', async () => {
  await send(settings(relay.port))
  const mail = relay.received.at(-1)
  expect(mail).toMatchObject({ from: 'sluice@example.org', to: ['ada@example.org'], user: null })
  const names = ['From', 'To', 'Subject', 'Message-ID', 'Auto-Submitted']
  expect(names.map((name) => readHeader(received(), name))).toEqual([
    'Bilder <sluice@example.org>',
    'ada@example.org',
    'A subject',
    '<one@images.example.org>',
    'auto-generated',
  ])
  expect([readPart(received(), 'text/plain'), readPart(received(), 'text/html')].map((part) => part.trim())).toEqual([
    'Words 图片',
    '<p>Words 图片</p>',
  ])
})

const HEADERS = [
  'auto-submitted',
  'content-type',
  'date',
  'from',
  'message-id',
  'mime-version',
  'subject',
  'to',
  'x-auto-response-suppress',
]

test.each([
  'Evil\r\nBcc: eve@example.org',
  'Evil\nBcc: eve@example.org\n\nbody',
  '"quoted" <eve@example.org>, other',
  'turned \u202egro.elpmaxe',
  '=?utf-8?q?=0D=0ABcc:_eve?=',
  '图片\u0000网站\u2028',
])('%j in a name or a title adds no header and no receiver', async (text) => {
  await send(settings(relay.port), { siteName: text, subject: text })
  expect(relay.received.at(-1)).toMatchObject({ from: 'sluice@example.org', to: ['ada@example.org'] })
  const head = received().raw.slice(0, received().raw.indexOf('\r\n\r\n'))
  const names = head.split('\r\n').flatMap((line) => /^([A-Za-z-]+):/.exec(line)?.[1]?.toLowerCase() ?? [])
  expect(names.toSorted()).toEqual(HEADERS)
  // Each other line continues one.
  expect(head.split('\r\n').filter((line) => !/^[A-Za-z-]+: |^[ \t]/.test(line))).toEqual([])
})

test('an international domain is written in ASCII', async () => {
  await send({ ...settings(relay.port), from: 'sluice@bücher.example' }, { to: 'ada@例子.example' })
  expect(['From', 'To'].map((name) => readHeader(received(), name))).toEqual([
    'Bilder <sluice@xn--bcher-kva.example>',
    'ada@xn--fsqu00a.example',
  ])
})

describe('a server', () => {
  test('on this machine gets the password by STARTTLS, whoever has signed its certificate', async () => {
    await using server = await startMailServer({ account, startTls: true })
    await send(settings(server.port, { user: account.user }, account.password))
    expect(server.received).toMatchObject([{ isSecure: true, user: account.user }])
  })

  test('that refuses the password is named, and the password is not', async () => {
    await using server = await startMailServer({ account })
    const error = await failure(send(settings(server.port, { user: account.user }, 'a wrong one')))
    expect(error.message).toBe(
      'The mail server 127.0.0.1 refused the user or the password: 535 5.7.8 no such user or password',
    )
    expect(error).not.toBeInstanceOf(FinalFailure)
    expect(server.attempts).toEqual([])
  })

  test('with TLS by a certificate that nobody trusts gets nothing', async () => {
    await using server = await startMailServer({ account, tls: true })
    const error = await failure(send(settings(server.port, { tls: true, user: account.user }, account.password)))
    expect(error.message).toContain('No secure connection to the mail server 127.0.0.1')
    expect(server.attempts).toEqual([])
  })

  test('with a user is not asked without its password', async () => {
    const error = await failure(send(settings(relay.port, { user: 'ada' })))
    expect(error.message).toContain('no password that can be read')
  })

  test('that knows no such mailbox ends it, and its words are kept without addresses and links', async () => {
    const text = 'no <ada@example.org> here, see https://images.example.org/password/s3cret now'
    await using server = await startMailServer({ refuse: () => ({ code: 550, text }) })
    const error = await failure(send(settings(server.port)))
    expect(error).toBeInstanceOf(FinalFailure)
    expect(error.message).toBe('The mail server 127.0.0.1 refused the mail: 550 no … here, see … now')
  })

  test('that greylists takes it later', async () => {
    const refuse = (_: string, attempt: number) => (attempt === 1 ? { code: 451, text: 'greylisted' } : null)
    await using server = await startMailServer({ refuse })
    const error = await failure(send(settings(server.port)))
    expect(error).not.toBeInstanceOf(FinalFailure)
    expect(error.message).toBe('The mail server 127.0.0.1 asks to try again later: 451 greylisted')
    await send(settings(server.port))
    expect(server.received).toHaveLength(1)
  })

  test('that says nothing is given up when time is up', async () => {
    await using server = await startSilentServer()
    const control = new AbortController()
    const sending = failure(send(settings(server.port), {}, control.signal))
    await expect.poll(server.connections, { interval: 5 }).toBe(1)
    control.abort()
    expect((await sending).message).toBe('The mail server 127.0.0.1 did not answer in time.')
  })

  test('that is not there', async () => {
    const error = await failure(send(settings(await freePort())))
    expect(error.message).toContain('The mail server 127.0.0.1 cannot be reached: ')
    expect(error).not.toBeInstanceOf(FinalFailure)
  })
})

test('a password needs TLS with a checked certificate, but on this machine', () => {
  const to = (host: string, more: Partial<MailSettings['server']> = {}) => {
    const { requireTLS, secure, tls } = connection({
      server: { host, port: 587, tls: false, user: 'ada', ...more },
      password: 'x',
    })
    return [requireTLS, secure, tls ?? 'checked']
  }
  expect(to('mail.example.org')).toEqual([true, false, 'checked'])
  expect(to('mail.example.org', { tls: true })).toEqual([false, true, 'checked'])
  expect(to('10.0.0.9')).toEqual([true, false, 'checked'])
  expect(to('relay', { user: null })).toEqual([false, false, 'checked'])
  for (const host of ['localhost', '127.0.0.1', '::1', '::ffff:127.0.0.1'])
    expect(to(host)).toEqual([false, false, { rejectUnauthorized: false }])
  expect(to('localhost.example.org')).toEqual([true, false, 'checked'])
  expect(to('localhost', { tls: true })).toEqual([false, true, 'checked'])
})

test.each([
  [{ code: 'EDNS' }, 'There is no host mail.example.org. Check the name of the mail server.'],
  [{ code: 'ETIMEDOUT' }, 'The mail server mail.example.org did not answer in time.'],
  [
    { code: 'EENVELOPE', command: 'MAIL FROM', responseCode: 553, response: '553 not yours' },
    'The mail server mail.example.org refused the sender’s address: 553 not yours',
  ],
  [
    { code: 'EPROTOCOL', responseCode: 421, response: '421\r\n too many\u0000 connections' },
    'The mail server mail.example.org asks to try again later: 421 too many connections',
  ],
])('%j is explained', (facts, text) => {
  expect(toMailFailure(Object.assign(new Error('x'), facts), 'mail.example.org').message).toBe(text)
})
