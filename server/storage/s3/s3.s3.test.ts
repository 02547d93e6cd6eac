import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { type S3Server, startS3Server } from '#testing/servers/s3-server.ts'
import { externalBucket, makeS3Settings } from '#testing/servers/s3-settings.ts'
import { unmetered } from '../meter.ts'
import { conformsToObjectStore, type StoreUnderTest } from '../object-store.conformance.ts'
import { createS3Store } from './s3.ts'
import type { S3Settings } from './settings.ts'

let server: S3Server
beforeAll(async () => {
  server = await startS3Server()
})
afterAll(() => server[Symbol.asyncDispose]())

async function makeStore(settings: S3Settings): Promise<StoreUnderTest> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-s3-store-'))
  const store = createS3Store(settings, unmetered)
  return {
    store,
    folder,
    [Symbol.asyncDispose]: async () => {
      for await (const { key } of store.list('')) await store.delete(key)
      await store.close()
      await rm(folder, { recursive: true })
    },
  }
}

conformsToObjectStore('a bucket', () => makeStore(externalBucket() ?? makeS3Settings(server)))
conformsToObjectStore('a bucket with checksums of the SDK', () =>
  makeStore({ ...(externalBucket() ?? makeS3Settings(server)), checksums: 'when-supported' }),
)
