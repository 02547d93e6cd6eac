import { noise, PNG_TAINT } from './tainted-png.ts'

export interface GifFrameOptions {
  readonly x?: number
  readonly y?: number
  readonly width?: number
  readonly height?: number
  readonly interlaced?: boolean
  /** Whether the frame has its own colour table. */
  readonly local?: boolean
  readonly disposal?: number
  readonly delay?: number
  readonly transparent?: number | null
  readonly seed?: number
}

export interface GifOptions {
  readonly width?: number
  readonly height?: number
  /** Bits of a colour index, 1 to 8. */
  readonly depth?: number
  readonly loop?: number | null
  /** LZW without clear codes when the table is full. */
  readonly deferred?: boolean
  /** Omits the end code. */
  readonly endless?: boolean
  /** Private text in every place that decoders ignore. */
  readonly tainted?: boolean
}

const taint = Buffer.from(PNG_TAINT)

/** A GIF of noise, written block by block. */
export function makeGif(frames: readonly GifFrameOptions[], options: GifOptions = {}): Buffer {
  const { width = 8, height = 8, depth = 4, loop = 0, tainted = false } = options
  const dirt = tainted ? unneeded : []
  const parts = [
    Buffer.from('GIF89a'),
    u16(width, height),
    Buffer.from([0xf0 | (depth - 1), 0, 0]),
    noise(3 * 2 ** depth, 7),
    ...(loop === null
      ? []
      : [extension(0xff, 'NETSCAPE2.0', Buffer.from([1, loop & 0xff, loop >> 8]), ...(tainted ? [taint] : []))]),
  ]
  for (const [index, frame] of frames.entries()) {
    parts.push(...dirt, makeControl(frame, tainted), ...dirt, makeImage(frame, index, options))
  }
  return Buffer.concat([...parts, ...dirt, Buffer.from([0x3b]), ...(tainted ? [taint] : [])])
}

export function extension(label: number, ...blocks: readonly (Buffer | string)[]): Buffer {
  return Buffer.concat([
    Buffer.from([0x21, label]),
    ...blocks.flatMap((block) => [Buffer.from([block.length]), Buffer.from(block)]),
    Buffer.from([0]),
  ])
}

const unneeded = [
  extension(0xfe, taint),
  extension(0x01, Buffer.alloc(12), taint),
  extension(0xff, 'XMP DataXMP', taint),
  extension(0xff, 'MGKIPTC0000', taint),
  extension(0xff, 'ICCRGBG1012', taint),
  extension(0xab, taint),
]

function makeControl({ disposal = 0, delay = 8, transparent = null }: GifFrameOptions, tainted: boolean): Buffer {
  const flags = (disposal << 2) | (transparent === null ? 0 : 1)
  const block = Buffer.from([flags, delay & 0xff, delay >> 8, transparent ?? 0])
  return extension(0xf9, block, ...(tainted ? [taint] : []))
}

function makeImage(frame: GifFrameOptions, index: number, options: GifOptions): Buffer {
  const { depth = 4, width: canvasWidth = 8, height: canvasHeight = 8, tainted = false } = options
  const { x = 0, y = 0, width = canvasWidth, height = canvasHeight, interlaced, local, seed = index + 1 } = frame
  const flags = (interlaced ? 0x40 : 0) | (local ? 0x80 | (depth - 1) : 0)
  const pixels = noise(width * height, seed).map((value) => value >> (8 - depth))
  const data = Buffer.concat([encodeLzw(pixels, Math.max(2, depth), options), ...(tainted ? [taint] : [])])
  const blocks = Array.from({ length: Math.ceil(data.length / 100) }, (_, block) =>
    data.subarray(block * 100, (block + 1) * 100),
  )
  return Buffer.concat([
    Buffer.from([0x2c]),
    u16(x, y, width, height),
    Buffer.from([flags]),
    ...(local ? [noise(3 * 2 ** depth, seed + 99)] : []),
    Buffer.from([Math.max(2, depth)]),
    ...blocks.flatMap((block) => [Buffer.from([block.length]), block]),
    Buffer.from([0]),
  ])
}

/** A literal LZW encoder: GIF89a, appendix F. */
export function encodeLzw(
  pixels: Uint8Array,
  minimum: number,
  { deferred = false, endless = false }: GifOptions = {},
): Buffer {
  const clear = 1 << minimum
  const bits: number[] = []
  let strings = new Map<string, number>()
  let size = minimum + 1
  let next = clear + 2
  const emit = (code: number) => {
    for (let bit = 0; bit < size; bit += 1) bits.push((code >> bit) & 1)
  }
  const findCode = (string: string) => (string.includes(',') ? strings.get(string) : Number(string))
  emit(clear)
  let current = ''
  for (const pixel of pixels) {
    const longer = current === '' ? `${pixel}` : `${current},${pixel}`
    if (findCode(longer) !== undefined) {
      current = longer
      continue
    }
    emit(findCode(current) ?? 0)
    if (next < 4096) {
      strings.set(longer, next)
      if (next === 1 << size && size < 12) size += 1
      next += 1
    } else if (!deferred) {
      emit(clear)
      strings = new Map()
      size = minimum + 1
      next = clear + 2
    }
    current = `${pixel}`
  }
  emit(findCode(current) ?? 0)
  if (next === 1 << size && size < 12) size += 1
  if (!endless) emit(clear + 1)
  return Buffer.from(
    Array.from({ length: Math.ceil(bits.length / 8) }, (_, byte) => packed(bits.slice(byte * 8, byte * 8 + 8))),
  )
}

const packed = (bits: readonly number[]) => bits.reduce((sum, bit, index) => sum | (bit << index), 0)

function u16(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2)
  for (const [index, value] of values.entries()) bytes.writeUInt16LE(value, index * 2)
  return bytes
}
