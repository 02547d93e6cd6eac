import { randomBytes } from 'node:crypto'
import { type ByteRange, ObjectCorrupt } from '#server/storage/object-store.ts'

/** Which bytes of an object an answer contains, and what is written around them. */
export interface ByteLayout {
  /** The single range read from the store, from the first byte sent to the last. Null for the whole object. */
  readonly read: ByteRange | null
  /** In ascending order: one for the whole or a single range, several for multipart/byteranges. */
  readonly parts: readonly RangePart[]
  /** Sent after the last part. */
  readonly tail: Buffer
}

export interface RangePart extends ByteRange {
  /** Sent before the part's own bytes. */
  readonly head: Buffer
}

interface LaidOut {
  readonly status: 200 | 206
  readonly headers: Readonly<Record<string, string>>
  readonly layout: ByteLayout
}

const NOTHING = Buffer.alloc(0)

/**
 * Lays out `ranges` of an object of `size` bytes; null for the whole. The ranges must be ascending and must not
 * overlap.
 */
export function layOut(size: number, mime: string, ranges: readonly ByteRange[] | null): LaidOut {
  const [first, ...others] = ranges ?? []
  if (!first) return layOutWhole(size, mime)
  return others.length === 0 ? layOutOne(size, mime, first) : layOutSeveral(size, mime, [first, ...others])
}

const layOutWhole = (size: number, mime: string): LaidOut => ({
  status: 200,
  headers: { 'Content-Type': mime, 'Content-Length': String(size) },
  layout: { read: null, parts: [{ start: 0, end: size - 1, head: NOTHING }], tail: NOTHING },
})

const layOutOne = (size: number, mime: string, range: ByteRange): LaidOut => ({
  status: 206,
  headers: {
    'Content-Type': mime,
    'Content-Length': String(range.end - range.start + 1),
    'Content-Range': contentRange(range, size),
  },
  layout: { read: isWhole(range, size) ? null : range, parts: [{ ...range, head: NOTHING }], tail: NOTHING },
})

/**
 * One read covers all parts, and the bytes between them are dropped: a call that costs one permit must not send more
 * than one request to a paid store.
 */
function layOutSeveral(size: number, mime: string, ranges: readonly [ByteRange, ...ByteRange[]]): LaidOut {
  // Random, so that no image can be crafted to contain it.
  const boundary = randomBytes(16).toString('hex')
  const parts = ranges.map((range, index) => {
    const delimiter = `${index === 0 ? '' : '\r\n'}--${boundary}\r\n`
    const head = `${delimiter}Content-Type: ${mime}\r\nContent-Range: ${contentRange(range, size)}\r\n\r\n`
    return { ...range, head: Buffer.from(head) }
  })
  const span = { start: ranges[0].start, end: parts.at(-1)?.end ?? 0 }
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
  const layout = { read: isWhole(span, size) ? null : span, parts, tail }
  const length = String(countBytes(layout))
  return {
    status: 206,
    headers: { 'Content-Type': `multipart/byteranges; boundary=${boundary}`, 'Content-Length': length },
    layout,
  }
}

/** Returns the number of bytes that a layout sends. */
export const countBytes = ({ parts, tail }: Pick<ByteLayout, 'parts' | 'tail'>): number =>
  parts.reduce((sum, { head, start, end }) => sum + head.length + end - start + 1, tail.length)

const contentRange = ({ start, end }: ByteRange, size: number): string => `bytes ${start}-${end}/${size}`

const isWhole = ({ start, end }: ByteRange, size: number): boolean => start === 0 && end === size - 1

/**
 * Yields what a layout sends, cut from `chunks`, which begin where the layout's read does. Throws ObjectCorrupt if they
 * end before the last part does.
 */
export async function* cut(
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
  { read, parts, tail }: ByteLayout,
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
