import { randomBytes } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TRPCError } from '@trpc/server'
import { expect, test } from 'vitest'
import { SNIFF_BYTES } from '../format.ts'
import { receiveFile } from './receive-file.ts'

async function makeFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-receive-'))
  return { path: join(folder, 'file'), [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) }
}

/** A body that creates each chunk on demand, and counts the requested chunks. */
function makeBody(chunks: number, chunkBytes: number) {
  const taken = { bytes: 0 }
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (taken.bytes === chunks * chunkBytes) return controller.close()
        taken.bytes += chunkBytes
        controller.enqueue(new Uint8Array(chunkBytes).fill(taken.bytes / chunkBytes))
      },
    },
    { highWaterMark: 0 },
  )
  return { body, taken }
}

const makeStream = (chunks: readonly Uint8Array[]) =>
  new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const chunk of chunks) controller.enqueue(chunk)
      controller.close()
    },
  })

test('writes a body, and returns its beginning', async () => {
  await using folder = await makeFolder()
  const received = await receiveFile(makeBody(9, 10).body, { path: folder.path, maxBytes: 90 })
  const bytes = await readFile(folder.path)
  expect(bytes).toHaveLength(90)
  expect(received).toEqual({ outcome: 'received', size: 90, head: bytes.subarray(0, SNIFF_BYTES) })
})

test('stops reading at the chunk that exceeds the limit, and does not write it', async () => {
  await using folder = await makeFolder()
  const { body, taken } = makeBody(1_000, 10)
  const received = await receiveFile(body, { path: folder.path, maxBytes: 49 })
  expect(received).toEqual({ outcome: 'too-large', read: 50 })
  expect(taken.bytes).toBe(50)
  expect(await readFile(folder.path)).toHaveLength(0)
})

test('bounds the number of one-byte chunks that wait for a write', async () => {
  await using folder = await makeFolder()
  const written: number[] = []
  let taken = 0
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (taken % 256 === 0) written.push(existsSync(folder.path) ? statSync(folder.path).size : 0)
        if (taken === 1_024) return controller.close()
        taken += 1
        controller.enqueue(Uint8Array.of(taken))
      },
    },
    { highWaterMark: 0 },
  )
  expect(await receiveFile(body, { path: folder.path, maxBytes: 2_000 })).toMatchObject({ size: 1_024 })
  expect(written).toEqual([0, 256, 512, 768, 1_024])
  expect([...(await readFile(folder.path))]).toEqual(Array.from({ length: 1_024 }, (_, at) => (at + 1) & 0xff))
})

test('frees the memory of owned chunks, but not of views of larger buffers', async () => {
  await using folder = await makeFolder()
  const shared = new Uint8Array(10).fill(7)
  const chunks = [new Uint8Array(600_000).fill(1), shared.subarray(2, 5), new Uint8Array(9).fill(3)]
  const bytes = Buffer.concat(chunks)
  const body = makeStream(chunks)
  const received = await receiveFile(body, { path: folder.path, maxBytes: 1_000_000, isOwned: true })
  expect(received).toMatchObject({ outcome: 'received', size: 600_012 })
  expect((await readFile(folder.path)).equals(bytes)).toBe(true)
  expect(chunks.map(({ byteLength }) => byteLength)).toEqual([0, 3, 0])
  expect(shared).toEqual(new Uint8Array(10).fill(7))
})

test('writes a body of any chunks unchanged', async () => {
  await using folder = await makeFolder()
  const chunks = [700_000, 1, 65_536, 524_288, 0, 300_000, 300_000, 7].map((length) => randomBytes(length))
  const body = makeStream(chunks)
  const received = await receiveFile(body, { path: folder.path, maxBytes: 10_000_000 })
  expect(received).toMatchObject({ outcome: 'received', size: 1_889_832 })
  expect((await readFile(folder.path)).equals(Buffer.concat(chunks))).toBe(true)
})

test('counts the whole limit as read if the stream itself ends at the limit', async () => {
  await using folder = await makeFolder()
  const { body, taken } = makeBody(3, 10)
  const capped = body.pipeThrough(
    new TransformStream({
      transform: (chunk, controller) => {
        if (taken.bytes < 30) controller.enqueue(chunk)
        else controller.error(new TRPCError({ code: 'PAYLOAD_TOO_LARGE' }))
      },
    }),
  )
  let read = 0
  const onRead = (bytes: number) => {
    read += bytes
  }
  const received = await receiveFile(capped, { path: folder.path, maxBytes: 25, onRead })
  expect([received.outcome, read]).toEqual(['too-large', 25])
})

test('stops reading an endless body when the client disconnects', async () => {
  await using folder = await makeFolder()
  const client = new AbortController()
  const { promise: cancelled, resolve } = Promise.withResolvers<void>()
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new Uint8Array(10)),
    cancel: () => resolve(),
  })
  const receiving = receiveFile(body, { path: folder.path, maxBytes: 50, signal: client.signal })
  client.abort()
  expect(await receiving).toEqual({ outcome: 'aborted' })
  await cancelled
})

test('reads nothing from a client that has already disconnected', async () => {
  await using folder = await makeFolder()
  const { body, taken } = makeBody(5, 10)
  const received = await receiveFile(body, { path: folder.path, maxBytes: 50, signal: AbortSignal.abort() })
  expect(received).toEqual({ outcome: 'aborted' })
  expect(taken.bytes).toBe(0)
})
