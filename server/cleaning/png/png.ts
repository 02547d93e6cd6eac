import type { Cleaning } from '../cleaning.ts'
import { packedLength } from '../inflate.ts'
import { Parts } from '../parts.ts'
import { chunkParts, findChunks, type PngChunk } from './png-chunks.ts'
import { filterCheck, listPasses } from './png-header.ts'
import { type DataRun, type PngLayout, readPngLayout } from './png-layout.ts'

/** Where the signature and the IHDR chunk end. */
const HEADER_END = 33

/** Rewrites a PNG or APNG with only the chunks that its picture needs. Data is unchanged, but cut where its zlib streams
 *  end. */
export async function cleanPng(bytes: Buffer): Promise<Cleaning> {
  const layout = readPngLayout(bytes)
  if (typeof layout === 'string') return { outcome: layout }
  const lengths = new Map<DataRun, number>()
  for (const piece of layout.pieces) {
    if (piece.kind !== 'data') continue
    const length = await measure(bytes, piece)
    if (length === null) return { outcome: 'undecodable' }
    lengths.set(piece, length)
  }
  const parts = write(bytes, layout, lengths)
  const { header, frames, orientation, removed, exif } = layout
  const { width, height } = header
  return { outcome: 'clean', parts, header: { width, height, frames, orientation }, removed: [...removed], exif }
}

/** Returns the length of a picture's zlib stream, which must decompress to exactly its rows, each with a valid
 *  filter. */
function measure(bytes: Buffer, run: DataRun): Promise<number | null> {
  const passes = listPasses(run.header)
  const size = passes.reduce((sum, { rows, rowBytes }) => sum + rows * rowBytes, 0)
  return packedLength(readRun(bytes, run), size, filterCheck(passes))
}

function* readRun(bytes: Buffer, run: DataRun): Generator<Buffer> {
  for (const chunk of findChunks(bytes, run.type, run.start, run.end)) yield pictureData(chunk)
}

/** Returns the picture data of a chunk; fdAT begins with a sequence number. */
const pictureData = ({ type, data }: PngChunk) => (type === 'fdAT' ? data.subarray(4) : data)

function write(bytes: Buffer, { pieces, removed }: PngLayout, lengths: ReadonlyMap<DataRun, number>): Buffer[] {
  const parts = new Parts()
  let sequence = 0
  parts.add(bytes.subarray(0, HEADER_END))
  for (const piece of pieces) {
    if (piece.kind === 'chunk') parts.add(...piece.parts)
    if (piece.kind === 'control') parts.add(...chunkParts('fcTL', numbered(sequence++), piece.data.subarray(4)))
    if (piece.kind !== 'data') continue
    for (const { chunk, kept } of cutData(bytes, piece, lengths.get(piece) ?? 0)) {
      const isCut = kept.length < pictureData(chunk).length
      if (isCut) removed.add('trailer')
      if (kept.length === 0) continue
      const number = piece.type === 'fdAT' ? [numbered(sequence++)] : []
      const isSame = !isCut && number.every((bytes) => bytes.equals(chunk.data.subarray(0, 4)))
      parts.add(...(isSame ? [chunk.bytes] : chunkParts(piece.type, ...number, kept)))
    }
  }
  parts.add(...chunkParts('IEND'))
  return parts.list
}

/** Yields the chunks of a run, and the part of each one's data that lies within the first `length` bytes. */
function* cutData(bytes: Buffer, run: DataRun, length: number): Generator<{ chunk: PngChunk; kept: Buffer }> {
  let left = length
  for (const chunk of findChunks(bytes, run.type, run.start, run.end)) {
    const kept = pictureData(chunk).subarray(0, left)
    left -= kept.length
    yield { chunk, kept }
  }
}

function numbered(sequence: number): Buffer {
  const number = Buffer.alloc(4)
  number.writeUInt32BE(sequence)
  return number
}
