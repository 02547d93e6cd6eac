import { randomBytes } from 'node:crypto'
import { type ByteRange, ObjectCorrupt } from '#server/storage/object-store.ts'

/** What is sent of an object, and around it: one part for the whole or a single range, several for
 *  multipart/byteranges. */
export interface BytePlan {
  readonly status: 200 | 206
  readonly headers: Readonly<Record<string, string>>
  /** The one range that is read from the store, from the first byte sent to the last. Null for the whole object. */
  readonly read: ByteRange | null
  /** In ascending order. */
  readonly parts: readonly Part[]
  /** Sent behind the last part. */
  readonly tail: Buffer
}

export interface Part extends ByteRange {
  /** Sent before the part's own bytes. */
  readonly head: Buffer
}

const NOTHING = Buffer.alloc(0)

/** How `ranges` of an object of `size` bytes are sent, which are ascending and apart; null for the whole. */
export function planOf(size: number, mime: string, ranges: readonly ByteRange[] | null): BytePlan {
  const [first, ...others] = ranges ?? []
  if (!first) return wholeOf(size, mime)
  return others.length === 0 ? oneOf(size, mime, first) : severalOf(size, mime, [first, ...others])
}

const wholeOf = (size: number, mime: string): BytePlan => ({
  status: 200,
  headers: { 'Content-Type': mime, 'Content-Length': String(size) },
  read: null,
  parts: [{ start: 0, end: size - 1, head: NOTHING }],
  tail: NOTHING,
})

const oneOf = (size: number, mime: string, range: ByteRange): BytePlan => ({
  status: 206,
  headers: {
    'Content-Type': mime,
    'Content-Length': String(range.end - range.start + 1),
    'Content-Range': contentRange(range, size),
  },
  read: isWhole(range, size) ? null : range,
  parts: [{ ...range, head: NOTHING }],
  tail: NOTHING,
})

/** One read covers all parts, and the bytes between them are dropped: a call that costs one permit may ask a paid store
 *  once. */
function severalOf(size: number, mime: string, ranges: readonly [ByteRange, ...ByteRange[]]): BytePlan {
  // Random, so that no image can be made to contain it.
  const boundary = randomBytes(16).toString('hex')
  const parts = ranges.map((range, index) => {
    const delimiter = `${index === 0 ? '' : '\r\n'}--${boundary}\r\n`
    const head = `${delimiter}Content-Type: ${mime}\r\nContent-Range: ${contentRange(range, size)}\r\n\r\n`
    return { ...range, head: Buffer.from(head) }
  })
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
  const length = parts.reduce((sum, { head, start, end }) => sum + head.length + end - start + 1, tail.length)
  const span = { start: ranges[0].start, end: parts.at(-1)?.end ?? 0 }
  return {
    status: 206,
    headers: { 'Content-Type': `multipart/byteranges; boundary=${boundary}`, 'Content-Length': String(length) },
    read: isWhole(span, size) ? null : span,
    parts,
    tail,
  }
}

/** Bytes that a plan sends in all. */
export const bytesOf = ({ parts, tail }: BytePlan): number =>
  parts.reduce((sum, { head, start, end }) => sum + head.length + end - start + 1, tail.length)

const contentRange = ({ start, end }: ByteRange, size: number): string => `bytes ${start}-${end}/${size}`

const isWhole = ({ start, end }: ByteRange, size: number): boolean => start === 0 && end === size - 1

/** Yields what a plan sends, cut from `chunks`, which begin where its read does. Throws ObjectCorrupt when they end
 *  before the last part does. */
export async function* cut(
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
  { read, parts, tail }: Pick<BytePlan, 'read' | 'parts' | 'tail'>,
): AsyncGenerator<Buffer> {
  let at = read?.start ?? 0
  let next = 0
  for await (const chunk of chunks) {
    const end = at + chunk.length
    for (let part = parts[next]; part && part.start < end; part = parts[next]) {
      if (part.start >= at && part.head.length > 0) yield part.head
      yield chunk.subarray(Math.max(part.start - at, 0), Math.min(part.end + 1, end) - at)
      if (part.end >= end) break
      next += 1
    }
    at = end
  }
  if (next < parts.length) throw new ObjectCorrupt(`The bytes ended at ${at}`)
  if (tail.length > 0) yield tail
}
