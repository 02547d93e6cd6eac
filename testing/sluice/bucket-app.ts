import { expect } from 'vitest'
import { behindProxy } from '../http/image-client.ts'
import { type CountingS3, startCountingS3 } from '../servers/counting-s3.ts'
import type { MeterCounts } from '../storage/counting-meter.ts'
import { BUFFERS, differences } from '../storage/metered-scene.ts'
import { startApp, type TestApp } from './sluice-app.ts'

/** The whole server with a cache and budgets, over a bucket that keeps its own bill. */
export interface BucketApp extends TestApp {
  readonly s3: CountingS3
  /** What the budgets have counted so far. Returns all leases first. */
  counted(): Promise<MeterCounts>
  /** Waits until the counts match the bill, and no response of the bucket is open. */
  compare(bytes?: 'to the byte' | 'but for buffers'): Promise<void>
}

/** Each read comes from its own address unless another is given. */
export async function startBucketApp(environment: Readonly<Record<string, string>> = {}): Promise<BucketApp> {
  await using started = new AsyncDisposableStack()
  const s3 = started.use(await startCountingS3())
  const served = started.use(
    await startApp({
      ...behindProxy,
      S3_BUCKET: s3.bucket,
      S3_ENDPOINT: s3.endpoint,
      S3_ACCESS_KEY_ID: s3.accessKeyId,
      S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
      S3_PREFIX: '',
      ...environment,
    }),
  )
  const running = started.move()
  const counted = async () => {
    await served.app.budgets.close()
    const { _sum: sums } = await served.app.db.spending.aggregate({
      where: { period: 'day' },
      _sum: { writes: true, reads: true, deletes: true, bytesIn: true, bytesOut: true },
    })
    const { writes, reads, deletes, bytesIn, bytesOut } = sums
    return {
      ...{ writes: Number(writes), reads: Number(reads), deletes: Number(deletes) },
      ...{ in: Number(bytesIn), out: Number(bytesOut) },
    }
  }
  const held = { in: 0, out: 0 }
  return {
    ...served,
    s3,
    counted,
    compare: (bytes = 'to the byte') =>
      expect
        .poll(async () => differences(s3, { counts: await counted(), held }, bytes === 'to the byte' ? 0 : BUFFERS), {
          timeout: 10_000,
        })
        .toEqual([]),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}
