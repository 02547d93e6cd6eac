import { deflateSync } from 'node:zlib'
import { makePng } from './pictures.ts'

/** Must not occur in a cleaned file. */
export const PNG_TAINT = 'TAINTED-BY-PRIVATE-TEXT'
const taint = Buffer.from(PNG_TAINT)

export type ChunkOf = readonly [type: string, data: Buffer]

/** The colour types and bit depths of PNG. */
export const pngKinds = [
  [0, 1],
  [0, 2],
  [0, 4],
  [0, 8],
  [0, 16],
  [2, 8],
  [2, 16],
  [3, 1],
  [3, 2],
  [3, 4],
  [3, 8],
  [4, 8],
  [4, 16],
  [6, 8],
  [6, 16],
] as const

export interface PngOptions {
  readonly kind?: (typeof pngKinds)[number]
  readonly width?: number
  readonly height?: number
  readonly interlaced?: boolean
  readonly transparent?: boolean
  readonly seed?: number
  /** Bytes of data per chunk. */
  readonly chunkBytes?: number
}

/** Returns the chunks of a PNG of noise, with a different filter for each row. */
export function pngChunks(options: PngOptions = {}): ChunkOf[] {
  const [colourType, bitDepth] = options.kind ?? [2, 8]
  const transparency = options.transparent
    ? new Map([
        [0, 2],
        [2, 6],
        [3, 2 ** bitDepth],
      ]).get(colourType)
    : undefined
  return [
    ['IHDR', headerData(options)],
    ...(colourType === 3 ? [['PLTE', noise(3 * 2 ** bitDepth, 7)] as const] : []),
    ...(transparency ? [['tRNS', transparencyData(transparency, bitDepth)] as const] : []),
    ...inChunks('IDAT', pictureStream(options), options.chunkBytes ?? 1_000),
    ['IEND', Buffer.alloc(0)],
  ]
}

export interface ApngFrameOptions {
  readonly x?: number
  readonly y?: number
  readonly width?: number
  readonly height?: number
  readonly delay?: readonly [number, number]
  readonly dispose?: number
  readonly blend?: number
  readonly seed?: number
}

/** Returns the chunks of an APNG; the default image is its first frame or not part of the animation. */
export function apngChunks(
  frames: readonly ApngFrameOptions[],
  { apart = false, loop = 0, ...options }: PngOptions & { readonly apart?: boolean; readonly loop?: number } = {},
): ChunkOf[] {
  const still = pngChunks(options)
  const chunks = still.slice(
    0,
    still.findIndex(([type]) => type === 'IDAT'),
  )
  const image = still.filter(([type]) => type === 'IDAT')
  chunks.push(['acTL', u32(frames.length, loop)])
  if (apart) chunks.push(...image)
  let sequence = 0
  for (const [index, frame] of frames.entries()) {
    const size = { width: frame.width ?? options.width ?? 8, height: frame.height ?? options.height ?? 8 }
    chunks.push(['fcTL', Buffer.concat([u32(sequence++), controlData(frame, size)])])
    if (index === 0 && !apart) chunks.push(...image)
    else {
      const stream = pictureStream({ ...options, ...size, seed: frame.seed ?? index + 2 })
      for (const [, data] of inChunks('fdAT', stream, options.chunkBytes ?? 1_000)) {
        chunks.push(['fdAT', Buffer.concat([u32(sequence++), data])])
      }
    }
  }
  return [...chunks, ['IEND', Buffer.alloc(0)]]
}

/** Returns the file with private text in every place that decoders ignore. */
export function taintPng(chunks: readonly ChunkOf[]): Buffer {
  const dirty = chunks.flatMap((chunk, index): ChunkOf[] => {
    const [type, data] = chunk
    const next = chunks[index + 1]?.[0]
    if (type === 'IHDR') return [chunk, ...unneeded]
    if (type === 'IDAT' && next !== 'IDAT')
      return [
        ['IDAT', Buffer.concat([data, taint])],
        ['IDAT', taint],
        ['tEXt', text],
      ]
    if (type === 'PLTE') return [chunk, ['hIST', taint], ['gAMA', taint]]
    return [chunk]
  })
  return Buffer.concat([makePng(dirty), taint])
}

const text = Buffer.from(`Comment\0${PNG_TAINT}`)

const unneeded: readonly ChunkOf[] = [
  ['tEXt', text],
  ['zTXt', Buffer.concat([Buffer.from('Comment\0\0'), taint])],
  ['iTXt', Buffer.from(`XML:com.adobe.xmp\0\0\0\0\0<x>${PNG_TAINT}</x>`)],
  ['tEXt', Buffer.from(`Raw profile type iptc\0${PNG_TAINT}`)],
  ['eXIf', Buffer.concat([Buffer.from('4d4d002a0000000800000000', 'hex'), taint])],
  ['iCCP', Buffer.concat([Buffer.from(`${PNG_TAINT}\0\0`), deflateSync(taint)])],
  ['tIME', taint],
  ['sPLT', taint],
  ['bKGD', taint],
  ['oFFs', taint],
  ['sBIT', taint],
  ['pHYs', taint],
  ['prVt', taint],
  ['caBX', taint],
  ['fdAT', taint],
]

export function headerData({ kind = [2, 8], width = 8, height = 8, interlaced = false }: PngOptions): Buffer {
  const [colourType, bitDepth] = kind
  return Buffer.concat([u32(width, height), Buffer.from([bitDepth, colourType, 0, 0, interlaced ? 1 : 0])])
}

/** Returns the zlib stream of a picture of noise. */
export function pictureStream({
  kind = [2, 8],
  width = 8,
  height = 8,
  interlaced = false,
  seed = 1,
}: PngOptions): Buffer {
  const [colourType, bitDepth] = kind
  const bits = bitDepth * ([1, 0, 3, 1, 2, 0, 4][colourType] ?? 0)
  const rows = interlaced ? interlacedRows(width, height) : Array.from({ length: height }, () => width)
  const data = rows.map((columns, row) =>
    Buffer.concat([Buffer.from([(row + seed) % 5]), noise(Math.ceil((columns * bits) / 8), seed * 1_000 + row)]),
  )
  return deflateSync(Buffer.concat(data))
}

/** The Adam7 pass of each pixel, as in the figure of the specification. */
const adam7 = ['16462646', '77777777', '56565656', '77777777', '36463646', '77777777', '56565656', '77777777']

/** Returns the pixels of each row, pass by pass, counted one by one. */
function interlacedRows(width: number, height: number): number[] {
  const rows: number[] = []
  for (const pass of '1234567') {
    for (let y = 0; y < height; y += 1) {
      let columns = 0
      for (let x = 0; x < width; x += 1) if (adam7[y % 8]?.[x % 8] === pass) columns += 1
      if (columns > 0) rows.push(columns)
    }
  }
  return rows
}

/** Returns bytes of a linear congruential generator (Numerical Recipes). */
export function noise(length: number, seed: number): Buffer {
  let state = seed >>> 0
  return Buffer.from(
    Array.from({ length }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return state >>> 24
    }),
  )
}

/** Values that the bit depth allows, or every alpha of a palette. */
const transparencyData = (length: number, bitDepth: number) =>
  bitDepth === 16 || length > 6 ? noise(length, 3) : Buffer.alloc(length).fill(Buffer.from([0, 1]))

function controlData(
  { x = 0, y = 0, delay = [1, 10], dispose = 0, blend = 0 }: ApngFrameOptions,
  size: { width: number; height: number },
) {
  const data = Buffer.concat([u32(size.width, size.height, x, y), Buffer.alloc(6)])
  data.writeUInt16BE(delay[0], 16)
  data.writeUInt16BE(delay[1], 18)
  data.writeUInt8(dispose, 20)
  data.writeUInt8(blend, 21)
  return data
}

function inChunks(type: string, data: Buffer, size: number): ChunkOf[] {
  const count = Math.ceil(data.length / size)
  return Array.from({ length: count }, (_, index) => [type, data.subarray(index * size, (index + 1) * size)] as const)
}

export function u32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4)
  return bytes
}
