import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '#server/database/database.ts'
import { mostUrgentJobs } from '#server/jobs/job-rows.ts'
import { readSiteValues } from '#server/site/settings.ts'
import { openQueue } from '#testing/jobs/job-queue-suite.ts'
import { openEmbeddedDatabase } from '#testing/sluice/embedded-database.ts'
import { type WebhookEventType, webhookEvents } from './events.ts'
import type { Resolve } from './post.ts'
import { openWebhook, type Webhook } from './webhook.ts'

let database: Database
beforeAll(async () => {
  database = await openEmbeddedDatabase()
})
afterAll(() => database.close())

interface Received {
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

interface Scene extends AsyncDisposable {
  readonly webhook: Webhook
  readonly received: Received[]
  /** The error of the last failed attempt. */
  error(): Promise<unknown>
}

const event = { type: 'budget.near', timestamp: '2026-03-31T12:00:00.000Z', data: { unit: 'money' } } as const
const settled = { interval: 20 }

/** A receiver that responds as the test says, and a process that delivers to it. */
async function makeScene(
  answer: (res: ServerResponse, attempt: number) => void,
  more: {
    events?: readonly WebhookEventType[]
    mayBePrivate?: boolean
    host?: string
    resolve?: Resolve
    deadlineMs?: number
  } = {},
): Promise<Scene> {
  const { events, mayBePrivate = true, host = '127.0.0.1', ...parts } = more
  const received: Received[] = []
  const server = createServer(async (req, res) => {
    received.push({ headers: req.headers, body: (await buffer(req)).toString() })
    answer(res, received.length)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port }: AddressInfo = toAddress(server.address())
  const url = `http://${host}:${port}/hook`
  const { queue } = await openQueue(database)
  const config = {
    secret: 'a secret of the site, 32 or more of it',
    webhookMayBePrivate: mayBePrivate,
  }
  const values = readSiteValues({ SLUICE_WEBHOOK: url, SLUICE_WEBHOOK_EVENTS: (events ?? webhookEvents).join(',') })
  const webhook = await openWebhook({ jobs: queue, config, site: { read: () => values }, ...parts })
  return {
    webhook,
    received,
    error: async () => (await mostUrgentJobs(database.db, 1))[0]?.output,
    async [Symbol.asyncDispose]() {
      await queue.close()
      await database.db.$executeRaw`DELETE FROM "jobs"."job" WHERE "name" IN ('webhook', 'webhook-image')`
      server.closeAllConnections()
      server.close()
    },
  }
}

function toAddress(address: AddressInfo | string | null): AddressInfo {
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address
}

/** Runs jobs that wait for their next attempt now. */
async function tryAgain(): Promise<void> {
  await database.db.$executeRaw`
    UPDATE "jobs"."job" SET "start_after" = now() WHERE "name" = 'webhook' AND "state" = 'retry'`
}

test('sends an event once it is committed, signed according to Standard Webhooks', async () => {
  await using scene = await makeScene((res) => res.writeHead(204).end())
  await database.db.$transaction((tx) => scene.webhook.send(tx, event))
  await expect.poll(() => scene.received, settled).toHaveLength(1)
  const [{ headers, body } = expect.unreachable()] = scene.received
  expect(JSON.parse(body)).toEqual(event)
  expect(headers['content-type']).toBe('application/json')
  const secret = scene.webhook.target?.secret ?? ''
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const signature = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
    .update(signed)
    .digest('base64')
  expect(headers['webhook-signature']).toBe(`v1,${signature}`)
  expect(Math.abs(Number(headers['webhook-timestamp']) * 1_000 - Date.now())).toBeLessThan(60_000)
})

/** What is stored of an attempt that the receiver answered so. */
const answered = (status: number) => ({
  message: `The receiver answered ${status}.`,
  text: { code: 'webhook-answered', params: { status: String(status) } },
})

test('sends an event that got a 500 again under the same ID, and then no more', async () => {
  await using scene = await makeScene((res, attempt) => res.writeHead(attempt === 1 ? 500 : 200).end())
  await scene.webhook.send(null, event)
  await expect.poll(() => scene.error(), settled).toEqual(answered(500))
  await tryAgain()
  await expect.poll(() => scene.error(), settled).toBeUndefined()
  const ids = scene.received.map(({ headers }) => headers['webhook-id'])
  expect(ids).toEqual([ids[0], ids[0]])
})

test('aborts an attempt that hangs at its deadline', async () => {
  await using scene = await makeScene(() => undefined, { deadlineMs: 100 })
  await scene.webhook.send(null, event)
  await expect
    .poll(() => scene.error(), settled)
    .toEqual({
      message: 'No answer within 1 s.',
      text: { code: 'webhook-silent', params: { wait: { waitMs: 100 } } },
    })
})

test('follows no redirect', async () => {
  await using scene = await makeScene((res) => res.writeHead(307, { location: '/elsewhere' }).end())
  await scene.webhook.send(null, event)
  await expect.poll(() => scene.error(), settled).toEqual(answered(307))
  expect(scene.received).toHaveLength(1)
})

test.each([
  ['127.0.0.1', undefined],
  ['[::ffff:127.0.0.1]', undefined],
  ['hook.example', [{ address: '127.0.0.1', family: 4 }]],
  ['hook.example', [{ address: '10.1.2.3', family: 4 }]],
  ['hook.example', [{ address: 'fd00::1', family: 6 }]],
])('refuses to connect to a private address: %s, which is %j', async (host, addresses) => {
  const resolve: Resolve = (_, answer) => answer(null, addresses ?? [])
  await using scene = await makeScene((res) => res.writeHead(200).end(), { mayBePrivate: false, host, resolve })
  await scene.webhook.send(null, event)
  await expect
    .poll(() => scene.error(), settled)
    .toEqual({
      message: expect.stringMatching(/ is not a public address\. Set SLUICE_WEBHOOK_PRIVATE=on to allow a webhook/),
      text: { code: 'webhook-private', params: { address: expect.any(String) } },
    })
  expect(scene.received).toEqual([])
})

test('resolves a name when connecting, also where private addresses are allowed', async () => {
  const asked: string[] = []
  const resolve: Resolve = (name, answer) => {
    asked.push(name)
    answer(null, [{ address: '127.0.0.1', family: 4 }])
  }
  await using scene = await makeScene((res) => res.writeHead(200).end(), { host: 'hook.example', resolve })
  await scene.webhook.send(null, event)
  await expect.poll(() => scene.received, settled).toHaveLength(1)
  expect(asked).toEqual(['hook.example'])
})

test('sends only events that the receiver subscribes to, and tests', async () => {
  await using scene = await makeScene((res) => res.writeHead(204).end(), { events: ['user.invited'] })
  await scene.webhook.send(null, event)
  await scene.webhook.send(null, { ...event, type: 'image.stored' })
  await scene.webhook.send(null, { ...event, type: 'user.invited' })
  await scene.webhook.send(null, { ...event, type: 'test' })
  await expect.poll(() => scene.received, settled).toHaveLength(2)
  expect(scene.received.map(({ body }) => JSON.parse(body).type).sort()).toEqual(['test', 'user.invited'])
  const jobs: unknown = await database.db.$queryRaw`
    SELECT count(*)::int AS "count" FROM "jobs"."job" WHERE "name" LIKE 'webhook%'`
  expect(jobs).toEqual([{ count: 2 }])
})

test('checks the address again in each attempt', async () => {
  let asked = 0
  const resolve: Resolve = (_, answer) => {
    asked += 1
    answer(null, [{ address: asked === 1 ? '192.0.2.0' : '127.0.0.1', family: 4 }])
  }
  await using scene = await makeScene((res) => res.writeHead(200).end(), {
    mayBePrivate: false,
    host: 'a.example',
    resolve,
  })
  for (const _ of [1, 2]) {
    await scene.webhook.send(null, event)
    await expect
      .poll(() => scene.error(), settled)
      .toMatchObject({ message: expect.stringContaining('not a public address') })
    await database.db.$executeRaw`DELETE FROM "jobs"."job" WHERE "name" = 'webhook'`
  }
  expect([asked, scene.received]).toEqual([2, []])
})

test('queues images apart from other events', async () => {
  const answers: (() => void)[] = []
  await using scene = await makeScene((res) => void answers.push(() => res.writeHead(204).end()))
  await database.db.$transaction(async (tx) => {
    for (let image = 0; image < 6; image += 1) await scene.webhook.send(tx, { ...event, type: 'image.stored' })
  })
  await expect.poll(() => scene.received, settled).toHaveLength(4)
  await scene.webhook.send(null, event)
  await expect.poll(() => scene.received, settled).toHaveLength(5)
  expect(JSON.parse(scene.received[4]?.body ?? '')).toEqual(event)
  for (const answer of answers.splice(0)) answer()
  await expect.poll(() => scene.received, settled).toHaveLength(7)
  for (const answer of answers) answer()
})
