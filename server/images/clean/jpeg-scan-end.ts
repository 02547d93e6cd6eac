import { marker, type Segment } from './jpeg-segments.ts'

/**
 * How many bytes of the one scan of a sequential, Huffman coded JPEG hold its blocks; null when they end before the last
 * block does, or have a code that the tables have not. Decoders stop there and do not look at what follows, so that anything
 * may stand between it and EOI. (Of several scans libjpeg reads each to its end, and warns of more.) The blocks are only
 * counted off: each code and the value behind it at once, and with restart markers those of the last interval alone.
 */
export function scanLength(segments: readonly Segment[], frame: Segment, sos: Segment): number | null {
  const layout = scanLayout(segments, frame, sos)
  if (!layout) return null
  const restarts = segments.findLast(({ marker: code }) => code === marker.DRI)?.data ?? NO_RESTARTS
  const interval = restarts.length === 2 ? restarts.readUInt16BE(0) : 0
  const intervals = interval === 0 ? 1 : Math.ceil(layout.units / interval)
  const start = skipRestarts(sos.scan, intervals - 1)
  if (start === null) return null
  const last = sos.scan.subarray(start)
  const coded = unstuff(last)
  const length = countOff(coded, layout.units - (intervals - 1) * interval, layout.blocks)
  if (length === null) return null
  return start + (length === coded.length ? coded.end : stuffedLength(last, length))
}

const NO_RESTARTS = Buffer.alloc(2)

/** Set in the number of an AC coefficients' table. */
const AC = 0x10

/** Codes by the next 16 bits of the stream: bits of code and value in the lowest five, the step among 64 coefficients above. */
type CodeTable = Uint16Array

interface Block {
  readonly dc: CodeTable
  readonly ac: CodeTable
}

interface Layout {
  /** MCUs, in the standard's words. */
  readonly units: number
  /** Those of one unit. */
  readonly blocks: readonly Block[]
}

function scanLayout(segments: readonly Segment[], frame: Segment, sos: Segment): Layout | null {
  const components = readComponents(frame.data)
  const sources = readTables(segments)
  if (!sources || !components || sos.data[0] !== components.length || sos.data.length !== 4 + components.length * 2)
    return null
  const tables = new Map<number, CodeTable | null>()
  const tableOf = (id: number): CodeTable | null => {
    const source = sources.get(id)
    if (source && !tables.has(id)) tables.set(id, codeTable(source, id < AC))
    return tables.get(id) ?? null
  }
  const isAlone = components.length === 1
  const blocks = components.flatMap(({ id, h, v }): (Block | null)[] => {
    const index = components.findIndex((_, candidate) => sos.data[1 + candidate * 2] === id)
    const selector = sos.data[2 + index * 2]
    if (index < 0 || selector === undefined) return [null]
    const [dc, ac] = [tableOf(selector >> 4), tableOf(AC | (selector & 15))]
    return Array.from({ length: isAlone ? 1 : h * v }, () => (dc && ac ? { dc, ac } : null))
  })
  if (!blocks.every((block) => block !== null)) return null
  const [width, height] = [frame.data.readUInt16BE(3), frame.data.readUInt16BE(1)]
  const across = isAlone ? 8 : 8 * Math.max(...components.map(({ h }) => h))
  const down = isAlone ? 8 : 8 * Math.max(...components.map(({ v }) => v))
  return { units: Math.ceil(width / across) * Math.ceil(height / down), blocks }
}

interface Component {
  readonly id: number
  /** Sampling factors: blocks of a unit, across and down. */
  readonly h: number
  readonly v: number
}

function readComponents(data: Buffer): Component[] | null {
  const components = Array.from({ length: data.readUInt8(5) }, (_, index) => {
    const at = 6 + index * 3
    return { id: data.readUInt8(at), h: data.readUInt8(at + 1) >> 4, v: data.readUInt8(at + 1) & 15 }
  })
  const isSampled = ({ h, v }: Component) => h >= 1 && h <= 4 && v >= 1 && v <= 4
  return components.every(isSampled) ? components : null
}

/** A Huffman table as DHT has it: how many codes there are of 1 to 16 bits, and what they stand for. */
interface TableSource {
  readonly counts: Buffer
  readonly symbols: Buffer
}

/** By class and number; a later one replaces an earlier. */
function readTables(segments: readonly Segment[]): Map<number, TableSource> | null {
  const tables = new Map<number, TableSource>()
  for (const { data } of segments.filter(({ marker: code }) => code === marker.DHT)) {
    for (let at = 0; at < data.length; ) {
      const start = at + 17
      let end = start
      for (let row = at + 1; row < start; row += 1) end += data[row] ?? 0
      if (end > data.length) return null
      tables.set(data.readUInt8(at), { counts: data.subarray(at + 1, start), symbols: data.subarray(start, end) })
      at = end
    }
  }
  return tables
}

/** T.81, annex C: codes of one length follow one another, and each length goes on from the one before. */
function codeTable({ counts, symbols }: TableSource, isDc: boolean): CodeTable | null {
  const table = new Uint16Array(65_536)
  let [code, index] = [0, 0]
  for (const [row, count] of counts.entries()) {
    const span = 1 << (15 - row)
    for (let left = count; left > 0; left -= 1, index += 1, code += span) {
      if (code + span > table.length) return null
      const symbol = symbols.readUInt8(index)
      table.fill(((isDc ? 0 : stepOf(symbol)) << 5) | (row + 1 + (symbol & 15)), code, code + span)
    }
  }
  return table
}

/** Coefficients that a symbol stands for: its run of zeros and one value, sixteen zeros, or all that are left. */
function stepOf(symbol: number): number {
  return symbol === 0xf0 ? 16 : symbol & 15 ? (symbol >> 4) + 1 : 64
}

/** Offset behind as many restart markers. */
function skipRestarts(scan: Buffer, count: number): number | null {
  let at = 0
  for (let left = count; left > 0; left -= 1) {
    while (at < scan.length && !(scan[at] === 0xff && isRestart(scan[at + 1]))) at += 1
    if (at === scan.length) return null
    at += 2
  }
  return at
}

const isRestart = (code: number | undefined): boolean =>
  code !== undefined && code >= marker.RST0 && code <= marker.RST7

/** More than a block can have: 64 codes of 31 bits at most. */
const BLOCK_BYTES = 256

interface Coded {
  readonly bytes: Uint8Array
  readonly length: number
  /** The offset behind it as it was. */
  readonly end: number
}

/** The coded data up to the next restart marker, an 0xFF for each 0xFF 0x00, and zeros behind for one block. */
function unstuff(scan: Buffer): Coded {
  const bytes = new Uint8Array(scan.length + BLOCK_BYTES)
  let [length, start] = [0, 0]
  while (start < scan.length) {
    const end = scan.indexOf(0xff, start)
    if (end < 0) break
    bytes.set(scan.subarray(start, end), length)
    length += end - start
    const code = skipFill(scan, end)
    if (scan[code] !== 0) return { bytes, length, end }
    bytes[length] = 0xff
    length += 1
    start = code + 1
  }
  bytes.set(scan.subarray(start), length)
  return { bytes, length: length + scan.length - start, end: scan.length }
}

/** The bytes that `length` bytes were before. */
function stuffedLength(scan: Buffer, length: number): number {
  let at = 0
  for (let left = length; left > 0; left -= 1) at = scan[at] === 0xff ? skipFill(scan, at) + 1 : at + 1
  return at
}

/** The offset behind one 0xFF or more. */
function skipFill(scan: Buffer, start: number): number {
  let at = start
  while (scan[at] === 0xff) at += 1
  return at
}

/** Bytes, the last one perhaps in part, that `units` times these blocks take. */
function countOff({ bytes, length }: Coded, units: number, blocks: readonly Block[]): number | null {
  let position = 0
  for (let unit = 0; unit < units; unit += 1) {
    for (const block of blocks) {
      position = skipBlock(bytes, position, block)
      if (position < 0 || position > length * 8) return null
    }
  }
  return (position + 7) >>> 3
}

/** The bit behind a block; -1 at a code that is none. */
function skipBlock(bytes: Uint8Array, start: number, { dc, ac }: Block): number {
  const first = dc[nextBits(bytes, start)] ?? 0
  if (first === 0) return -1
  let position = start + (first & 31)
  for (let coefficient = 1; coefficient < 64; ) {
    const entry = ac[nextBits(bytes, position)] ?? 0
    if (entry === 0) return -1
    position += entry & 31
    coefficient += entry >>> 5
  }
  return position
}

function nextBits(bytes: Uint8Array, position: number): number {
  const at = position >>> 3
  const three = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0)
  return (three >>> (8 - (position & 7))) & 0xffff
}
