import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { defaultDeadlines, type S3Deadlines } from '#server/storage/s3/bucket.ts'
import { createS3Store, type S3Store } from '#server/storage/s3/s3.ts'
import { type CountedFault, type CountingS3, type SeenOperation, startCountingS3 } from '../servers/counting-s3.ts'
import { s3Error } from '../servers/s3-scene.ts'
import { makeS3Settings } from '../servers/s3-settings.ts'
import { type CountingMeter, createCountingMeter } from './counting-meter.ts'
import { makeRandomFiles, type RandomFile } from './random-files.ts'

/** A store with a meter, over a bucket that keeps its own bill. */
export interface MeteredScene extends AsyncDisposable {
  readonly s3: CountingS3
  readonly meter: CountingMeter
  readonly store: S3Store
  /** A new file of random bytes, and the key for it. */
  file(size: number): Promise<RandomFile>
  /** The same, stored in the bucket. */
  stored(size: number): Promise<RandomFile>
  /** Returns the requests that an action makes. */
  countRequests(work: () => Promise<unknown>): Promise<Partial<Record<SeenOperation, number>>>
  /** Fails the first requests of an operation, and passes all others. */
  failFirst(times: number, operation: SeenOperation, fault: CountedFault): void
  /** Waits until no transfer is in flight, then compares the meter with the bill: requests, bytes, and no remaining reservations. */
  compare(bytes?: 'to the byte' | 'but for buffers'): Promise<void>
}

export async function makeMeteredScene(deadlines: Partial<S3Deadlines> = {}): Promise<MeteredScene> {
  await using made = new AsyncDisposableStack()
  const s3 = made.use(await startCountingS3())
  const files = made.use(await makeRandomFiles())
  const meter = createCountingMeter()
  const store = createS3Store({ ...makeS3Settings(s3), prefix: 'images/' }, meter, {
    ...defaultDeadlines,
    ...deadlines,
  })
  made.defer(() => store.close())
  const running = made.move()
  return {
    s3,
    meter,
    store,
    file: files.make,
    async stored(size) {
      const file = await files.make(size)
      await store.put(file.key, file, size)
      return file
    },
    async countRequests(work) {
      const before = new Map(s3.requests)
      await work()
      const made = [...s3.requests].map(([name, count]) => [name, count - (before.get(name) ?? 0)] as const)
      return Object.fromEntries(made.filter(([, count]) => count > 0))
    },
    failFirst(times, operation, fault) {
      let failed = 0
      s3.fault = (asked) => {
        if (asked !== operation || failed === times) return null
        failed += 1
        return fault
      }
    },
    compare: (bytes = 'to the byte') =>
      expect.poll(() => differences(s3, meter, bytes === 'to the byte' ? 0 : BUFFERS)).toEqual([]),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

/** The most bytes that the system buffers between sender and reader, plus Node's buffers. */
export const BUFFERS = ['rmem', 'wmem'].map(largest).reduce((sum, bytes) => sum + bytes, 512 * 1024)

function largest(name: string): number {
  const [, , most = ''] = readFileSync(`/proc/sys/net/ipv4/tcp_${name}`, 'utf8').split(/\s+/)
  return Number(most)
}

/** Returns one sentence for each difference between a meter and the bill. `buffers` are bytes that may be in flight. */
export function differences(
  { requests, bytes, open }: CountingS3,
  { counts, held }: Pick<CountingMeter, 'counts' | 'held'>,
  buffers: number,
): string[] {
  const sum = (...names: SeenOperation[]) => names.reduce((all, name) => all + (requests.get(name) ?? 0), 0)
  const seen = {
    writes: sum('put', 'create upload', 'part', 'complete upload', 'list'),
    reads: sum('get', 'head'),
    deletes: sum('delete', 'abort upload'),
  }
  const said = (isWrong: boolean, sentence: string) => (isWrong ? [sentence] : [])
  return [
    ...said(counts.writes !== seen.writes, `${counts.writes} writes counted, ${seen.writes} seen`),
    ...said(counts.reads !== seen.reads, `${counts.reads} reads counted, ${seen.reads} seen`),
    ...said(counts.deletes !== seen.deletes, `${counts.deletes} deletes counted, ${seen.deletes} seen`),
    ...said(!isWithin(bytes.in, counts.in, buffers), `${counts.in} bytes counted to the bucket, ${bytes.in} came`),
    ...said(
      !isWithin(counts.out, bytes.out, buffers),
      `${counts.out} bytes counted from the bucket, ${bytes.out} sent`,
    ),
    ...said(held.in > 0 || held.out > 0, `room for ${held.in} bytes in and ${held.out} out was not given back`),
    ...said(open > 0, `${open} answers have not ended`),
  ]
}

/** Whether the bytes sent and received differ by no more than the buffers between them. */
const isWithin = (taken: number, given: number, buffers: number) => taken <= given && given - taken <= buffers

/** Cuts the connection after this many bytes of a response's body. */
export const cutAfter = (after: number | null): CountedFault => ({ end: { how: 'cut', after } })

/** An error of S3 in place of its response, before or after the request's body. */
export const refusal = (status: number, code: string, at: 'head' | 'end' = 'end'): CountedFault => ({
  answer: { ...s3Error(status, code), at },
})
