import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { makeToken } from '#server/accounts/tokens/api-token.ts'
import { type Database, openDatabase } from '#server/database/database.ts'
import { layEmbeddedDatabase } from '#testing/embedded-database.ts'
import { formBody } from '#testing/form-body.ts'
import { freePort } from '#testing/free-port.ts'
import { picture } from '#testing/pictures.ts'
import { signedIn } from '#testing/signed-in.ts'
import { startSluiceServer } from '#testing/sluice-server.ts'

const SECRET = 'a secret of the site, 32 or more of it'
const event = z.object({ type: z.string(), data: z.object({ id: z.string(), visibility: z.string() }) })
const listed = z.object({ result: z.object({ data: z.object({ items: z.array(z.object({ id: z.string() })) }) }) })

/** Whoever is told of images, and what they were told, in order. */
async function openReceiver() {
  const told: z.infer<typeof event>[] = []
  const server = createServer(async (req, res) => {
    told.push(event.parse(await json(req)))
    res.end()
  })
  const port = await freePort()
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const close = async () => void server.close()
  return { told, url: `http://127.0.0.1:${port}/`, [Symbol.asyncDispose]: close }
}

test('an image of a form that a crash has cut off is its owner’s alone, and told of once', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'sluice-crash-'))
  await using ended = new AsyncDisposableStack()
  ended.defer(() => rm(dataDir, { recursive: true, force: true }))
  await layEmbeddedDatabase(dataDir)
  /** What no server has open. */
  const inDatabase = async <T>(work: (db: Database['db']) => Promise<T>): Promise<T> => {
    const { db, close } = await openDatabase({ dataDir, databaseUrl: null })
    return work(db).finally(close)
  }
  const { token, ...kept } = makeToken()
  await inDatabase(async (db) => {
    await signedIn(db, { origin: 'http://127.0.0.1', secret: SECRET }, {})
    const { id: userId } = await db.user.findFirstOrThrow()
    await db.apiToken.create({ data: { ...kept, name: 'a program', scopes: ['upload', 'read'], userId } })
  })
  const receiver = ended.use(await openReceiver())
  const env = {
    ...{ SLUICE_SECRET: SECRET, SLUICE_VISIBILITY: 'public', SLUICE_LOG: 'error' },
    ...{ SLUICE_WEBHOOK: receiver.url, SLUICE_WEBHOOK_PRIVATE: 'on', SLUICE_WEBHOOK_EVENTS: 'image.stored' },
  }
  const authorization = `Bearer ${token}`
  const mine = async (origin: string) => {
    const input = encodeURIComponent(JSON.stringify({ scope: 'mine' }))
    const answer = await fetch(`${origin}/api/trpc/image.list?input=${input}`, { headers: { authorization } })
    return listed.parse(await answer.json()).result.data.items.map(({ id }) => id)
  }

  const first = ended.use(await startSluiceServer({ dataDir, env }))
  const value = await picture({ format: 'png', width: 16, height: 12, seed: 1 })
  const field = { name: 'visibility', value: 'public' }
  const parts = [{ name: 'file', filename: 'a.png', value }, field, field]
  const socket = connect(Number(first.port), '127.0.0.1').on('error', () => undefined)
  socket.write(
    `POST /api/upload HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nContent-Length: 100000\r\n` +
      'Content-Type: multipart/form-data; boundary=xx\r\n\r\n',
  )
  socket.write(formBody('xx', parts).subarray(0, -20))
  await expect.poll(() => mine(first.origin)).toHaveLength(1)
  await first.kill()
  socket.destroy()
  await inDatabase((db) => db.image.updateMany({ data: { createdAt: new Date(Date.now() - 61 * 60_000) } }))

  for (let start = 0; start < 2; start += 1) {
    await using again = await startSluiceServer({ dataDir, env })
    const [id] = await mine(again.origin)
    await expect.poll(() => receiver.told).toEqual([{ type: 'image.stored', data: { id, visibility: 'private' } }])
    await again.stop()
  }
  const facts = { visibility: true, formOpen: true } as const
  const left = await inDatabase((db) => db.image.findMany({ select: facts }))
  expect(left).toEqual([{ visibility: 'private', formOpen: false }])
}, 120_000)
