import fc from 'fast-check'
import type { RequestPart } from '#server/http/upload/parsing/part.ts'

/** A body in pieces of these sizes, repeated. */
export async function* inPieces(body: Buffer | string, sizes: readonly number[]): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(body)
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? bytes.length
    yield bytes.subarray(at, at + size)
    at += size
  }
}

interface Read {
  readonly name?: string
  readonly value?: string
  readonly filename?: string
  readonly bytes?: string
}

/** Bytes as text that is easy to compare. */
export const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')

/** Reads all parts in order, files with their bytes. */
export async function readAll(parts: AsyncIterable<RequestPart>): Promise<Read[]> {
  const all: Read[] = []
  for await (const part of parts) {
    if (part.kind === 'field') all.push({ name: part.name, value: part.value })
    else {
      const chunks: Uint8Array[] = []
      for (let item = await part.bytes.next(); !item.done; item = await part.bytes.next()) chunks.push(item.value)
      all.push({ filename: part.filename, bytes: text(Buffer.concat(chunks)) })
    }
  }
  return all
}

/** Reads all parts, or returns the problem. */
export const readProblem = (parts: AsyncIterable<RequestPart>) =>
  readAll(parts).then(
    (read) => read,
    (error: { problem?: string }) => error.problem,
  )

/** Arbitrary sizes of pieces. */
export const sizes = fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 5 })
/** Arbitrary bytes of a file. */
export const file = fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes))
/** Arbitrary names other than those of file fields. */
export const fieldName = fc
  .string({ maxLength: 12, unit: 'binary' })
  .filter((name) => !/file|image|source|name/i.test(name))
