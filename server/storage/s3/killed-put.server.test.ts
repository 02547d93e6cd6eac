import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { openDatabase } from '#server/database/database.ts'
import { signedIn } from '#testing/accounts/signed-in.ts'
import { startCountingS3 } from '#testing/servers/counting-s3.ts'
import { makeS3Settings } from '#testing/servers/s3-settings.ts'
import { startSluiceServer } from '#testing/sluice/sluice-server.ts'
import { unmetered } from '../meter.ts'
import { createS3Store } from './s3.ts'

const SECRET = 'a secret of the site, 32 or more of it'

test('parts of an upload whose server is killed stay for a day, and then go', async () => {
  await using ended = new AsyncDisposableStack()
  const dataDir = await mkdtemp(join(tmpdir(), 'sluice-killed-put-'))
  ended.defer(() => rm(dataDir, { recursive: true, force: true }))
  const database = await openDatabase({ dataDir, databaseUrl: null })
  const { cookie } = await signedIn(database.db, { origin: 'http://127.0.0.1', secret: SECRET }, {})
  await database.close()
  const s3 = ended.use(await startCountingS3())
  const env = {
    ...{ SLUICE_SECRET: SECRET, SLUICE_LOG: 'error', S3_BUCKET: s3.bucket, S3_ENDPOINT: s3.endpoint },
    ...{ S3_ACCESS_KEY_ID: s3.accessKeyId, S3_SECRET_ACCESS_KEY: s3.secretAccessKey },
  }
  const flat = sharp({ create: { width: 1_800, height: 1_600, channels: 3, background: '#357' } })
  const bytes = await flat.png({ compressionLevel: 0 }).toBuffer()
  const upload = (origin: string) =>
    fetch(`${origin}/api/trpc/image.upload`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/octet-stream', 'x-file-name': 'x.png' },
      body: new Uint8Array(bytes),
    })

  const first = ended.use(await startSluiceServer({ dataDir, env }))
  const reached = Promise.withResolvers<void>()
  s3.fault = (operation) => {
    if (operation !== 'complete upload') return null
    reached.resolve()
    return { answer: { at: 'head', status: 500, headers: {}, body: '' }, end: { how: 'silence', after: null } }
  }
  const interrupted = upload(first.origin).catch((error: Error) => error.name)
  await reached.promise
  await first.kill()
  expect(await interrupted).toBe('TypeError')
  s3.fault = () => null
  expect(s3.requests.get('abort upload')).toBe(undefined)

  await using again = await startSluiceServer({ dataDir, env })
  expect((await upload(again.origin)).status).toBe(200)
  const store = createS3Store({ ...makeS3Settings(s3), prefix: '' }, unmetered)
  ended.defer(() => store.close())
  // Uploads of the last day may still be under way.
  expect(await store.removeUnfinished(new Date(Date.now() - 86_400_000))).toBe(0)
  expect(await store.removeUnfinished(new Date(Date.now() + 60_000))).toBe(1)
  expect(await store.removeUnfinished(new Date(Date.now() + 60_000))).toBe(0)
  expect((await Array.fromAsync(store.list(''))).filter(({ size }) => size > 8 * 1024 ** 2)).toHaveLength(1)
})
