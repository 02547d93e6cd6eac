import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { CannotStart } from '#server/cannot-start.ts'
import { uploadAccepted } from '#testing/http/image-client.ts'
import { picture } from '#testing/images/pictures.ts'
import { startFaultProxy } from '#testing/servers/fault-proxy.ts'
import { startS3Server } from '#testing/servers/s3-server.ts'
import { makeS3Settings } from '#testing/servers/s3-settings.ts'
import { startApp } from '#testing/sluice/sluice-app.ts'
import { unmetered } from '../meter.ts'
import { ObjectStoreUnavailable, originalKey } from '../object-store.ts'
import { defaultDeadlines, openBucket } from './bucket.ts'
import { readSize } from './head.ts'
import { openObject } from './open.ts'
import { createS3Store } from './s3.ts'

test('keeps images in a bucket, serves them whole or fails, and reports configuration errors at startup', async () => {
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
  const answer = await uploadAccepted(app, owner, await picture({ format: 'png', width: 800, height: 600 }))
  const read = async () => Buffer.from(await (await fetch(answer.url)).arrayBuffer())
  expect(
    createHash('sha256')
      .update(await read())
      .digest('hex'),
  ).toBe(answer.sha256)
  // The headers are sent long before the last chunk, and only that one can be held back; there is no cache to fall back
  // on.
  const file = server.objectPath(answer.sha256)
  const bytes = await readFile(file)
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
  await writeFile(file, bytes)
  await expect(read()).rejects.toThrow('terminated')

  const wrong = startApp({ ...environment, S3_SECRET_ACCESS_KEY: 'wrong' })
  await expect(wrong).rejects.toThrow(
    new CannotStart('S3_SECRET_ACCESS_KEY does not match S3_ACCESS_KEY_ID. Copy both again.'),
  )
})

test('treats a missing bucket as an outage and a missing object as proof of availability', async () => {
  await using server = await startS3Server()
  const settings = makeS3Settings(server)
  const missing = createS3Store({ ...settings, bucket: 'no-such-bucket' }, unmetered)
  for (let time = 0; time < 3; time += 1) await expect(missing.check()).rejects.toThrow(ObjectStoreUnavailable)
  await expect(missing.open(originalKey('a'.repeat(64)))).rejects.toThrow(ObjectStoreUnavailable)
  await expect(missing.check()).rejects.toThrow(ObjectStoreUnavailable)
  await missing.close()

  const bucket = openBucket(settings, unmetered, defaultDeadlines)
  for (const find of [readSize(bucket, 'none'), openObject(bucket, originalKey('a'.repeat(64)), undefined)]) {
    const before = performance.now()
    await find.catch(() => null)
    expect(bucket.answeredAt).toBeGreaterThanOrEqual(before)
  }
  bucket.client.destroy()
})

test('recovers without a restart when the bucket becomes available again', async () => {
  await using server = await startS3Server()
  await using proxy = await startFaultProxy(server)
  const store = createS3Store(makeS3Settings(server, `http://${proxy.host}:${proxy.port}`), unmetered)
  await store.verify()
  for (const mode of ['refuse', 'reset'] as const) {
    await proxy.set(mode)
    await expect(Array.fromAsync(store.list(''))).rejects.toThrow(ObjectStoreUnavailable)
    await expect(store.check()).rejects.toThrow(ObjectStoreUnavailable)
    await proxy.set('pass')
    await store.check()
  }
  await store.close()
})
