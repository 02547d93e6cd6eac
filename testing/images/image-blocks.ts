import type { Format } from '#server/images/format.ts'

/** A chunk, segment, extension or box of an image file, with the positions of its fields for lengths and sizes. */
export interface ImageBlock {
  readonly start: number
  readonly end: number
  readonly fields: readonly SizeField[]
}

export interface SizeField {
  readonly at: number
  readonly bytes: number
  readonly isLittleEndian: boolean
  /** A size of the picture, not of the block. */
  readonly isDimension: boolean
}

/** Returns the blocks of a valid file in order, including an AVIF's nested ones. */
export function listBlocks(format: Format, file: Buffer): ImageBlock[] {
  switch (format) {
    case 'jpeg':
      return jpegBlocks(file)
    case 'png':
      return pngBlocks(file)
    case 'gif':
      return gifBlocks(file)
    case 'webp':
      return webpBlocks(file)
    case 'avif':
      return boxes(file, 0, file.length)
  }
}

const big = (at: number, bytes: number, isDimension = false) => ({ at, bytes, isLittleEndian: false, isDimension })
const little = (at: number, bytes: number, isDimension = false) => ({ at, bytes, isLittleEndian: true, isDimension })

function jpegBlocks(file: Buffer): ImageBlock[] {
  const blocks: ImageBlock[] = []
  for (let start = 2; start + 4 <= file.length; ) {
    const marker = file[start + 1]
    const end = start + 2 + file.readUInt16BE(start + 2)
    const isFrame = marker !== undefined && marker >= 0xc0 && marker <= 0xc2
    const size = isFrame ? [big(start + 5, 2, true), big(start + 7, 2, true)] : []
    blocks.push({ start, end, fields: [big(start + 2, 2), ...size] })
    if (marker === 0xda) break
    start = end
  }
  return blocks
}

function pngBlocks(file: Buffer): ImageBlock[] {
  const blocks: ImageBlock[] = []
  for (let start = 8; start + 12 <= file.length; ) {
    const type = file.toString('latin1', start + 4, start + 8)
    const end = start + 12 + file.readUInt32BE(start)
    const sizes: Record<string, number[]> = { IHDR: [8, 12], fcTL: [12, 16, 20, 24], acTL: [8] }
    const fields = (sizes[type] ?? []).map((at) => big(start + at, 4, true))
    blocks.push({ start, end, fields: [big(start, 4), ...fields] })
    start = end
  }
  return blocks
}

function gifBlocks(file: Buffer): ImageBlock[] {
  const table = (flags = 0) => (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0)
  const afterHeader = 13 + table(file[10])
  const blocks: ImageBlock[] = [{ start: 0, end: afterHeader, fields: [little(6, 2, true), little(8, 2, true)] }]
  for (let start = afterHeader; start < file.length && file[start] !== 0x3b; ) {
    const isImage = file[start] === 0x2c
    const data = isImage ? start + 11 + table(file[start + 9]) : start + 2
    let end = data
    while (end < file.length && file[end] !== 0) end += 1 + (file[end] ?? 0)
    end += 1
    const sizes = isImage ? [1, 3, 5, 7].map((at) => little(start + at, 2, true)) : []
    blocks.push({ start, end, fields: [little(data, 1), ...sizes] })
    start = end
  }
  return blocks
}

function webpBlocks(file: Buffer): ImageBlock[] {
  const blocks: ImageBlock[] = [{ start: 0, end: 12, fields: [little(4, 4)] }]
  for (let start = 12; start + 8 <= file.length; ) {
    const type = file.toString('latin1', start, start + 4)
    const length = file.readUInt32LE(start + 4)
    const end = start + 8 + length + (length % 2)
    const sizes: Record<string, SizeField[]> = {
      VP8X: [little(start + 12, 3, true), little(start + 15, 3, true)],
      ANMF: [8, 11, 14, 17].map((at) => little(start + at, 3, true)),
      'VP8 ': [little(start + 14, 2, true), little(start + 16, 2, true)],
      VP8L: [little(start + 9, 4, true)],
    }
    blocks.push({ start, end, fields: [little(start + 4, 4), ...(sizes[type] ?? [])] })
    start = end
  }
  return blocks
}

function boxes(file: Buffer, from: number, to: number): ImageBlock[] {
  const found: ImageBlock[] = []
  for (let start = from; start + 8 <= to; ) {
    const type = file.toString('latin1', start + 4, start + 8)
    const end = start + file.readUInt32BE(start)
    if (end <= start || end > to) break
    const sizes = type === 'ispe' ? [big(start + 12, 4, true), big(start + 16, 4, true)] : []
    const places =
      type === 'iloc'
        ? Array.from({ length: (end - start - 16) >> 2 }, (_, index) => big(start + 16 + index * 4, 4))
        : []
    found.push({ start, end, fields: [big(start, 4), ...sizes, ...places] })
    const inside: Record<string, number> = { meta: 12, iprp: 8, ipco: 8, iinf: 14, iref: 12 }
    const skipped = inside[type]
    if (skipped !== undefined) found.push(...boxes(file, start + skipped, end))
    start = end
  }
  return found
}
