import {
  AC,
  BLOCK_BYTES,
  type Block,
  blockOf,
  type CodedData,
  type CodeTable,
  codeTable,
  countOff,
} from './jpeg-huffman.ts'
import { marker, NEAR, type Segment } from './jpeg-segments.ts'
import { huffmanSlot, readTables } from './jpeg-tables.ts'

/**
 * How many bytes of the one scan of a sequential, Huffman coded JPEG hold its blocks; null when they end before the last
 * block does, or have a code that the tables have not. Decoders stop there and do not look at what follows, so that anything
 * may stand between it and EOI. (Of several scans libjpeg reads each to its end, and warns of more.) The blocks are only
 * counted off: several codes and the values behind them at once, and with restart markers those of the last interval alone.
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

interface Layout {
  /** MCUs, in the standard's words. */
  readonly units: number
  /** Those of one unit. */
  readonly blocks: readonly Block[]
}

function scanLayout(segments: readonly Segment[], frame: Segment, sos: Segment): Layout | null {
  const components = readComponents(frame.data)
  const sources = huffmanTables(segments)
  if (!components || sos.data[0] !== components.length || sos.data.length !== 4 + components.length * 2) return null
  const tables = new Map<number, CodeTable | null>()
  const tableOf = (id: number): CodeTable | null => {
    const source = sources.get(huffmanSlot(id))
    if (source && !tables.has(id)) tables.set(id, codeTable(source, id < AC))
    return tables.get(id) ?? null
  }
  const isAlone = components.length === 1
  const blocks = components.flatMap(({ id, h, v }): (Block | null)[] => {
    const index = components.findIndex((_, candidate) => sos.data[1 + candidate * 2] === id)
    const selector = sos.data[2 + index * 2]
    if (index < 0 || selector === undefined) return [null]
    const [dc, ac] = [tableOf(selector >> 4), tableOf(AC | (selector & 15))]
    const block = dc && ac ? blockOf(dc, ac) : null
    return Array.from({ length: isAlone ? 1 : h * v }, () => block)
  })
  if (!blocks.every((block) => block !== null)) return null
  const [width, height] = [frame.data.readUInt16BE(3), frame.data.readUInt16BE(1)]
  const across = isAlone ? 8 : 8 * Math.max(...components.map(({ h }) => h))
  const down = isAlone ? 8 : 8 * Math.max(...components.map(({ v }) => v))
  return { units: Math.ceil(width / across) * Math.ceil(height / down), blocks }
}

/** By their slots; a later one replaces an earlier. */
function huffmanTables(segments: readonly Segment[]): ReadonlyMap<string, Buffer> {
  const tables = segments
    .filter(({ marker: code }) => code === marker.DHT)
    .flatMap((segment) => readTables(segment) ?? [])
  return new Map(tables.map(({ slot, bytes }) => [slot, bytes]))
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

interface Coded extends CodedData {
  /** The offset behind it as it was. */
  readonly end: number
}

/** The coded data up to the next restart marker, an 0xFF for each 0xFF 0x00, and zeros behind for one block. */
function unstuff(scan: Buffer): Coded {
  const bytes = new Uint8Array(scan.length + BLOCK_BYTES)
  let [length, at] = [0, 0]
  while (at < scan.length) {
    const near = Math.min(at + NEAR, scan.length)
    while (at < near && scan[at] !== 0xff) {
      bytes[length] = scan[at] ?? 0
      length += 1
      at += 1
    }
    if (scan[at] === 0xff) {
      const behind = skipFill(scan, at)
      if (scan[behind] !== 0) break
      bytes[length] = 0xff
      length += 1
      at = behind + 1
    } else {
      const found = scan.indexOf(0xff, at)
      const far = scan.subarray(at, found < 0 ? scan.length : found)
      bytes.set(far, length)
      length += far.length
      at += far.length
    }
  }
  return { bytes, length, end: at }
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
