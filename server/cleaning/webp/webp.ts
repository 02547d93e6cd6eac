import { type CanvasSize, type FrameRectangle, fitCanvas } from '../canvas.ts'
import { MAX_FRAMES, MAX_METADATA, MAX_PIXELS, MAX_PROFILE, MAX_TOTAL_PIXELS } from '../caps.ts'
import type { Cleaning, CleaningRefusal, Orientation, Removed } from '../cleaning.ts'
import { cleanProfile } from '../icc.ts'
import { orientationTiff, readOrientation } from '../orientation.ts'
import { countChunkBytes, type RiffChunk, readChunks, writeChunks } from './riff-chunks.ts'
import { type Bitstream, findBitstream } from './webp-bitstream.ts'

const RIFF_HEAD_BYTES = 12
const CANVAS_BYTES = 10
const FRAME_BYTES = 16

/** Flags of VP8X. Alpha stays as it was, because decoders rely on it. */
const HAS_PROFILE = 0x20
const HAS_ALPHA = 0x10
const HAS_EXIF = 0x08
const HAS_FRAMES = 0x02

/** All flags but those and XMP's: libwebp rejects a file with one of them set. */
const RESERVED = 0xc1

/** Rewrites a WebP (RFC 9649) from its bitstreams, frames, canvas, cleaned profile and orientation. */
export function cleanWebp(bytes: Buffer): Cleaning {
  if (bytes.length < RIFF_HEAD_BYTES) return { outcome: 'undecodable' }
  const end = 8 + bytes.readUInt32LE(4)
  const isWebp = bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP'
  if (!isWebp || end > bytes.length) return { outcome: 'undecodable' }
  const chunks = readChunks(bytes.subarray(RIFF_HEAD_BYTES, Math.max(end, RIFF_HEAD_BYTES)))
  if (!chunks) return { outcome: 'undecodable' }
  const content = chunks[0]?.type === 'VP8X' ? readExtended(chunks) : readSimple(chunks)
  if (typeof content === 'string') return { outcome: content }
  const { width, height, frames, orientation, profile } = content
  const dropped = end - RIFF_HEAD_BYTES - countChunkBytes(content.chunks)
  if (dropped + (profile?.length ?? 0) > MAX_METADATA || (profile?.length ?? 0) > MAX_PROFILE)
    return { outcome: 'too-much-metadata' }
  const parts = [riffHead(countChunkBytes(content.chunks)), ...writeChunks(content.chunks)]
  const removed = removedFrom(chunks, content)
  if (end + (end & 1) < bytes.length) removed.push('trailer')
  return { outcome: 'clean', parts, header: { width, height, frames, orientation }, removed, exif: content.exif }
}

interface Content {
  readonly width: number
  readonly height: number
  readonly frames: number
  readonly orientation: Orientation
  /** As found. */
  readonly profile?: Buffer | undefined
  readonly exif?: Buffer | undefined
  /** As written. */
  readonly chunks: readonly RiffChunk[]
}

/** Reads a file of one bitstream; whatever follows is ignored. */
function readSimple(chunks: readonly RiffChunk[]): Content | CleaningRefusal {
  const bitstream = findBitstream(chunks.slice(0, 1))
  if (!bitstream) return 'undecodable'
  if (bitstream.width * bitstream.height > MAX_PIXELS) return 'too-many-pixels'
  return { ...bitstream, frames: 1, orientation: 1 }
}

function readExtended(chunks: readonly RiffChunk[]): Content | CleaningRefusal {
  const data = chunks[0]?.data
  if (!data || data.length < CANVAS_BYTES) return 'undecodable'
  const flags = data.readUInt8(0)
  const stated = { width: data.readUIntLE(4, 3) + 1, height: data.readUIntLE(7, 3) + 1 }
  if (stated.width * stated.height > MAX_PIXELS) return 'too-many-pixels'
  if (flags & RESERVED) return 'undecodable'
  const pictures = flags & HAS_FRAMES ? readFrames(chunks, stated) : readStill(chunks, stated)
  if (typeof pictures === 'string') return pictures
  // libwebp ignores a chunk without its flag.
  const findChunk = (flag: number, type: string) =>
    flags & flag ? chunks.find((chunk) => chunk.type === type)?.data : undefined
  const [profile, exif] = [findChunk(HAS_PROFILE, 'ICCP'), findChunk(HAS_EXIF, 'EXIF')]
  const cleaned = profile && cleanProfile(profile).profile
  const orientation = exif ? readOrientation(exif) : 1
  const keptFlags =
    (flags & (HAS_ALPHA | HAS_FRAMES)) | (cleaned ? HAS_PROFILE : 0) | (orientation === 1 ? 0 : HAS_EXIF)
  const { width, height } = pictures.canvas
  const written = [
    { type: 'VP8X', data: canvasChunk(keptFlags, pictures.canvas) },
    ...(cleaned ? [{ type: 'ICCP', data: cleaned }] : []),
    ...pictures.chunks,
    ...(orientation === 1 ? [] : [{ type: 'EXIF', data: orientationTiff(orientation) }]),
  ]
  return { width, height, frames: pictures.frames, orientation, profile, exif, chunks: written }
}

function canvasChunk(flags: number, { width, height }: CanvasSize): Buffer {
  const data = Buffer.alloc(CANVAS_BYTES)
  data.writeUInt8(flags)
  data.writeUIntLE(width - 1, 4, 3)
  data.writeUIntLE(height - 1, 7, 3)
  return data
}

type Pictures = Pick<Content, 'frames' | 'chunks'> & { readonly canvas: CanvasSize }

function readStill(chunks: readonly RiffChunk[], canvas: CanvasSize): Pictures | CleaningRefusal {
  const bitstream = findBitstream(chunks)
  const hasFrames = chunks.some(({ type }) => type === 'ANMF')
  if (!bitstream || hasFrames) return 'undecodable'
  if (bitstream.width !== canvas.width || bitstream.height !== canvas.height) return 'undecodable'
  return { canvas, frames: 1, chunks: bitstream.chunks }
}

/** Reads ANIM and its frames; pictures outside of a frame are not allowed. */
function readFrames(chunks: readonly RiffChunk[], stated: CanvasSize): Pictures | CleaningRefusal {
  const anim = chunks.findIndex(({ type }) => type === 'ANIM')
  const control = chunks[anim]?.data.subarray(0, 6)
  const frames = chunks.filter(({ type }) => type === 'ANMF')
  if (frames.length > MAX_FRAMES || frames.length * stated.width * stated.height > MAX_TOTAL_PIXELS)
    return 'too-many-pixels'
  const isOrdered = anim < chunks.findIndex(({ type }) => type === 'ANMF')
  const hasStill = chunks.some(({ type }) => type === 'ALPH' || type === 'VP8 ' || type === 'VP8L')
  if (control?.length !== 6 || !isOrdered || hasStill) return 'undecodable'
  const cleaned = frames.map(({ data }) => cleanFrame(data, stated)).filter((frame) => frame !== null)
  if (cleaned.length < frames.length) return 'undecodable'
  const canvas = fitCanvas(
    stated,
    cleaned.map(({ data }) => framePlace(data)),
  )
  if (!canvas) return 'too-many-pixels'
  return { canvas, frames: frames.length, chunks: [{ type: 'ANIM', data: control }, ...cleaned] }
}

/** Returns a cleaned frame. It must lie within the canvas, have the size of its bitstream, and start with that. Only
 *  two of its flags are defined. */
function cleanFrame(data: Buffer, canvas: CanvasSize): RiffChunk | null {
  const inner = data.length < FRAME_BYTES ? null : readChunks(data.subarray(FRAME_BYTES))
  const bitstream = inner && findBitstream(inner)
  if (!bitstream || bitstream.chunks[0] !== inner[0] || !isPlaced(framePlace(data), bitstream, canvas)) return null
  const head = Buffer.from(data.subarray(0, FRAME_BYTES))
  head.writeUInt8(head.readUInt8(15) & 3, 15)
  return { type: 'ANMF', data: Buffer.concat([head, ...writeChunks(bitstream.chunks)]) }
}

const framePlace = (frame: Buffer): FrameRectangle => ({
  x: frame.readUIntLE(0, 3) * 2,
  y: frame.readUIntLE(3, 3) * 2,
  width: frame.readUIntLE(6, 3) + 1,
  height: frame.readUIntLE(9, 3) + 1,
})

function isPlaced({ x, y, width, height }: FrameRectangle, bitstream: Bitstream, canvas: CanvasSize): boolean {
  const agrees = width === bitstream.width && height === bitstream.height
  return agrees && x + width <= canvas.width && y + height <= canvas.height
}

function riffHead(length: number): Buffer {
  const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1')
  head.writeUInt32LE(length + 4, 4)
  return head
}

const kinds = new Map<string, Removed>([
  ['EXIF', 'exif'],
  ['XMP ', 'xmp'],
  ['ICCP', 'profile-tags'],
])

/** Picture chunks count as kept even when repaired; others only when written unchanged. */
const pictureTypes: ReadonlySet<string> = new Set(['VP8X', 'ANIM', 'ANMF', 'ALPH', 'VP8 ', 'VP8L'])

function removedFrom(chunks: readonly RiffChunk[], { chunks: written }: Content): Removed[] {
  const isKept = ({ type, data }: RiffChunk) =>
    pictureTypes.has(type) || (kinds.has(type) && written.some((kept) => kept.type === type && kept.data.equals(data)))
  const removed = new Set(chunks.filter((chunk) => !isKept(chunk)).map(({ type }) => kinds.get(type) ?? 'other'))
  // A frame that shrank contained a chunk that was left out.
  const framesIn = chunks.filter(({ type }) => type === 'ANMF')
  const framesOut = written.filter(({ type }) => type === 'ANMF')
  if (countChunkBytes(framesOut) < countChunkBytes(framesIn)) removed.add('other')
  return [...removed]
}
