import {
  AC,
  BLOCK_BYTES,
  type BlockTables,
  type CodedData,
  type CodeTable,
  codeTable,
  countOff,
  createBlock,
} from './jpeg-huffman.ts'
import { marker, NEAR, type Segment } from './jpeg-segments.ts'
import { huffmanSlot, readTables } from './jpeg-tables.ts'

/** Returns how many bytes of the only scan of a sequential, Huffman-coded JPEG its blocks occupy; null when the data
 *  ends before the last block or contains a code missing from the tables. Decoders stop at that point, so anything
 *  could be hidden between it and EOI. (With several scans libjpeg reads each to its end and warns about the rest.)
 *  Blocks are only counted, several codes at once; with restart markers only those of the last interval. */
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
  /** MCUs, in the terms of the standard. */
  readonly units: number
  /** The blocks of one unit. */
  readonly blocks: readonly BlockTables[]
}

function scanLayout(segments: readonly Segment[], frame: Segment, sos: Segment): Layout | null {
  const components = readComponents(frame.data)
  const sources = huffmanTables(segments)
  if (!components || sos.data[0] !== components.length || sos.data.length !== 4 + components.length * 2) return null
  const tables = new Map<number, CodeTable | null>()
  const loadTable = (id: number): CodeTable | null => {
    const source = sources.get(huffmanSlot(id))
    if (source && !tables.has(id)) tables.set(id, codeTable(source, id < AC))
    return tables.get(id) ?? null
  }
  const isAlone = components.length === 1
  const blocks = components.flatMap(({ id, h, v }): (BlockTables | null)[] => {
    const index = components.findIndex((_, candidate) => sos.data[1 + candidate * 2] === id)
    const selector = sos.data[2 + index * 2]
    if (index < 0 || selector === undefined) return [null]
    const [dc, ac] = [loadTable(selector >> 4), loadTable(AC | (selector & 15))]
    const block = dc && ac ? createBlock(dc, ac) : null
    return Array.from({ length: isAlone ? 1 : h * v }, () => block)
  })
  if (!blocks.every((block) => block !== null)) return null
  const [width, height] = [frame.data.readUInt16BE(3), frame.data.readUInt16BE(1)]
  const across = isAlone ? 8 : 8 * Math.max(...components.map(({ h }) => h))
  const down = isAlone ? 8 : 8 * Math.max(...components.map(({ v }) => v))
  return { units: Math.ceil(width / across) * Math.ceil(height / down), blocks }
}

/** Returns the Huffman tables by slot; later ones replace earlier ones. */
function huffmanTables(segments: readonly Segment[]): ReadonlyMap<string, Buffer> {
  const tables = segments
    .filter(({ marker: code }) => code === marker.DHT)
    .flatMap((segment) => readTables(segment) ?? [])
  return new Map(tables.map(({ slot, bytes }) => [slot, bytes]))
}

interface Component {
  readonly id: number
  /** Sampling factors: blocks per unit, across and down. */
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

/** Returns the offset after `count` restart markers. */
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
  /** The offset after this data in the stuffed original. */
  readonly end: number
}

/** Removes byte stuffing up to the next restart marker, and appends zeros for one block. */
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

/** Returns how many stuffed bytes `length` unstuffed ones occupy. */
function stuffedLength(scan: Buffer, length: number): number {
  let at = 0
  for (let left = length; left > 0; left -= 1) at = scan[at] === 0xff ? skipFill(scan, at) + 1 : at + 1
  return at
}

/** Returns the offset after one or more 0xFF. */
function skipFill(scan: Buffer, start: number): number {
  let at = start
  while (scan[at] === 0xff) at += 1
  return at
}
