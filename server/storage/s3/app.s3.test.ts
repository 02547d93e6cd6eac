import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { CannotStart } from '#server/cannot-start.ts'
import { startFaultProxy } from '#testing/fault-proxy.ts'
import { upload } from '#testing/image-client.ts'
import { picture } from '#testing/pictures.ts'
import { startS3Server } from '#testing/s3-server.ts'
import { settingsFor } from '#testing/s3-settings.ts'
import { startApp } from '#testing/sluice-app.ts'
import { unmetered } from '../meter.ts'
import { originalKey, StoreUnavailable } from '../object-store.ts'
import { defaultDeadlines, openBucket } from './bucket.ts'
import { sizeOf } from './head.ts'
import { openObject } from './open.ts'
import { createS3Store } from './s3.ts'

// Its database is made anew, which takes its time on a busy machine.
test('Sluice keeps images in a bucket, gives them whole or broken, and says what is wrong at its start', {
  timeout: 120_000,
}, async () => {
  await using server = await startS3Server()
  const { bucket, endpoint, accessKeyId, secretAccessKey } = server
  const environment = {
    S3_BUCKET: bucket,
    S3_ENDPOINT: endpoint,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
    SLUICE_CACHE_MAX: '0',
  }
  await using app = await startApp(environment)
  expect(app.app.description).toContain(`objects: bucket ${bucket} at ${endpoint}`)

  const owner = await app.person()
  const answer = await upload(app, owner, await picture({ format: 'png', width: 800, height: 600 }))
  const read = async () => Buffer.from(await (await fetch(answer.url)).arrayBuffer())
  expect(
    createHash('sha256')
      .update(await read())
      .digest('hex'),
  ).toBe(answer.sha256)
  // The head is out long before the last chunk, which alone can be held back; and there is no cache to be asked instead.
  const file = server.fileOf(answer.sha256)
  const bytes = await readFile(file)
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
  await writeFile(file, bytes)
  await expect(read()).rejects.toThrow('terminated')

  const wrong = startApp({ ...environment, S3_SECRET_ACCESS_KEY: 'wrong' })
  await expect(wrong).rejects.toThrow(
    new CannotStart('S3_SECRET_ACCESS_KEY is not the secret of S3_ACCESS_KEY_ID: copy both again.'),
  )
})

test('a bucket that is not there is not taken for one that answers, and an object that is not there says that it does', async () => {
  await using server = await startS3Server()
  const settings = settingsFor(server)
  const missing = createS3Store({ ...settings, bucket: 'no-such-bucket' }, unmetered)
  for (let time = 0; time < 3; time += 1) await expect(missing.check()).rejects.toThrow(StoreUnavailable)
  await expect(missing.open(originalKey('a'.repeat(64)))).rejects.toThrow(StoreUnavailable)
  await expect(missing.check()).rejects.toThrow(StoreUnavailable)
  await missing.close()

  const bucket = openBucket(settings, unmetered, defaultDeadlines)
  for (const find of [sizeOf(bucket, 'none'), openObject(bucket, originalKey('a'.repeat(64)), undefined)]) {
    const before = performance.now()
    await find.catch(() => null)
    expect(bucket.answeredAt).toBeGreaterThanOrEqual(before)
  }
  bucket.client.destroy()
})

test('a bucket that goes away and comes back is asked again without a restart', async () => {
  await using server = await startS3Server()
  await using proxy = await startFaultProxy(server)
  const store = createS3Store(settingsFor(server, `http://${proxy.host}:${proxy.port}`), unmetered)
  await store.verify()
  for (const mode of ['refuse', 'reset'] as const) {
    await proxy.set(mode)
    await expect(Array.fromAsync(store.list(''))).rejects.toThrow(StoreUnavailable)
    await expect(store.check()).rejects.toThrow(StoreUnavailable)
    await proxy.set('pass')
    await store.check()
  }
  await store.close()
})
