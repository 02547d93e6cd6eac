import { unmetered } from '#server/storage/meter.ts'
import { defaultDeadlines, type S3Deadlines } from '#server/storage/s3/bucket.ts'
import { createS3Store, type S3Store } from '#server/storage/s3/s3.ts'
import type { S3Settings } from '#server/storage/s3/settings.ts'
import { makeRandomFiles, type RandomFile } from '../storage/random-files.ts'
import { type HttpFaultProxy, startHttpFaultProxy } from './http-faults.ts'
import { type S3Server, startS3Server } from './s3-server.ts'
import { makeS3Settings } from './s3-settings.ts'

/** A store over a real S3 server, with a proxy in between that injects faults. */
export interface S3Scene extends AsyncDisposable {
  readonly server: S3Server
  readonly proxy: HttpFaultProxy
  readonly settings: S3Settings
  readonly store: S3Store
  /** Another store over the same bucket, with deadlines short enough for a test. */
  hasty(deadlines: Partial<S3Deadlines>): S3Store
  /** Creates a file of random bytes, and returns it with its key. */
  file(size: number): Promise<RandomFile>
}

export async function makeS3Scene(change: Partial<S3Settings> = {}): Promise<S3Scene> {
  await using made = new AsyncDisposableStack()
  const server = made.use(await startS3Server())
  const proxy = made.use(await startHttpFaultProxy(server))
  const files = made.use(await makeRandomFiles())
  const settings = { ...makeS3Settings(server, proxy.endpoint), prefix: 'images/', ...change }
  const hasty = (deadlines: Partial<S3Deadlines>) => {
    const store = createS3Store(settings, unmetered, { ...defaultDeadlines, ...deadlines })
    running.defer(() => store.close())
    return store
  }
  const running = made.move()
  return {
    server,
    proxy,
    settings,
    store: hasty({}),
    hasty,
    file: files.make,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

/** An error in S3's format. */
export const s3Error = (status: number, code: string, more = '') => ({
  status,
  headers: { 'content-type': 'application/xml' },
  body: `<?xml version="1.0"?><Error><Code>${code}</Code><Message>No, ${code}</Message>${more}</Error>`,
})
