import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { makeToken } from '#server/accounts/tokens/api-token.ts'
import { type Database, openDatabase } from '#server/database/database.ts'
import { signedIn } from '#testing/accounts/signed-in.ts'
import { formBody } from '#testing/http/form-body.ts'
import { picture } from '#testing/images/pictures.ts'
import { startSluiceServer } from '#testing/sluice/sluice-server.ts'

const SECRET = 'a secret of the site, 32 or more of it'
const answered = z.object({ stored: z.int(), files: z.array(z.object({ visibility: z.string() })) })

test('a form interrupted by a crash leaves nothing, and succeeds when sent again', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'sluice-crash-'))
  await using ended = new AsyncDisposableStack()
  ended.defer(() => rm(dataDir, { recursive: true, force: true }))
  /** Opened while no server has it open. */
  const inDatabase = async <T>(work: (db: Database['db']) => Promise<T>): Promise<T> => {
    const { db, close } = await openDatabase({ dataDir, databaseUrl: null })
    return work(db).finally(close)
  }
  const { token, ...kept } = makeToken()
  await inDatabase(async (db) => {
    await signedIn(db, { origin: 'http://127.0.0.1', secret: SECRET }, {})
    const { id: userId } = await db.user.findFirstOrThrow()
    await db.apiToken.create({ data: { ...kept, name: 'a program', scopes: ['upload'], userId } })
  })
  const env = { SLUICE_SECRET: SECRET, SLUICE_LOG: 'error' }
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=xx' }
  const files = await Promise.all(
    Array.from({ length: 20 }, async (_, seed) => {
      return {
        name: 'file',
        filename: `${seed}.png`,
        value: await picture({ format: 'png', width: 16, height: 12, seed }),
      }
    }),
  )
  const form = formBody('xx', [...files, { name: 'visibility', value: 'link' }])
  const unfinished = () => readdir(join(dataDir, 'tmp'))
  /** Counts rows of images and objects, and the files of objects. */
  const left = async () => {
    const objects = await readdir(join(dataDir, 'objects'), { recursive: true, withFileTypes: true })
    const rows = await inDatabase(async (db) => [await db.image.count(), await db.storedObject.count()])
    return [...rows, objects.filter((entry) => entry.isFile()).length]
  }

  const first = ended.use(await startSluiceServer({ dataDir, env }))
  const socket = connect(Number(first.port), '127.0.0.1').on('error', () => undefined)
  const lines = Object.entries({ host: 'x', ...headers, 'content-length': form.length })
  socket.write(`POST /api/upload HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`)
  // To the middle of the thirteenth file.
  socket.write(form.subarray(0, form.indexOf('12.png') + 100))
  await expect.poll(async () => (await unfinished()).length).toBe(13)
  await first.kill()
  socket.destroy()
  expect(await left()).toEqual([0, 0, 0])
  expect(await unfinished()).toHaveLength(13)

  await using again = await startSluiceServer({ dataDir, env })
  expect(await unfinished()).toEqual([])
  const answer = await fetch(`${again.origin}/api/upload`, { method: 'POST', headers, body: new Uint8Array(form) })
  const { stored, files: told } = answered.parse(await answer.json())
  expect([stored, new Set(told.map(({ visibility }) => visibility))]).toEqual([20, new Set(['link'])])
  expect(await unfinished()).toEqual([])
})
