import { marker, type Segment } from './jpeg-segments.ts'

/** One table of a DQT, DHT or DRI segment. */
export interface JpegTable {
  /** Identifies the table; a later one with the same slot replaces it. */
  readonly slot: string
  /** As written in its segment. */
  readonly bytes: Buffer
}

/** The tables that a scan uses, by segment (T.81, B.2.4). */
type UsedTables = ReadonlyMap<Segment, readonly JpegTable[]>

const isTables = ({ marker: code }: Segment): boolean =>
  code === marker.DQT || code === marker.DHT || code === marker.DRI

/** Returns the bytes of all table segments. Capped, because every table they are split into takes memory of its own. */
export function tableBytes(segments: readonly Segment[]): number {
  return segments.reduce((sum, segment) => sum + (isTables(segment) ? segment.bytes.length : 0), 0)
}

/** Returns the tables of each segment that a scan uses. One that is replaced before any scan, or that no component
 *  refers to, could hide arbitrary data. Null when a segment is damaged. A component's quantisation table is fixed by
 *  its first scan. */
export function usedTables(segments: readonly Segment[], frame: Segment): UsedTables | null {
  const inForce = new Map<string, JpegTable>()
  const used = new Set<JpegTable>()
  const tables = new Map<Segment, readonly JpegTable[]>()
  const settled = new Set<number>()
  for (const segment of segments) {
    if (isTables(segment)) {
      const read = readTables(segment)
      if (!read) return null
      tables.set(segment, read)
      for (const table of read) inForce.set(table.slot, table)
    } else if (segment.marker === marker.SOS) {
      for (const slot of usedSlots(segment, frame, settled)) {
        const table = inForce.get(slot)
        if (table) used.add(table)
      }
    }
  }
  return new Map(Array.from(tables, ([segment, all]) => [segment, all.filter((table) => used.has(table))]))
}

/** Returns the tables of a segment; null when one exceeds the segment or has an invalid ID. */
export function readTables({ marker: code, data }: Segment): JpegTable[] | null {
  if (code === marker.DRI) return data.length === 2 ? [{ slot: 'restart', bytes: data }] : null
  const tables: JpegTable[] = []
  for (let at = 0; at < data.length; ) {
    const head = data.readUInt8(at)
    const end = at + (code === marker.DQT ? quantizationBytes(head) : huffmanBytes(data, at))
    if (end > data.length || (head & 15) > 3 || (code === marker.DHT && head >> 4 > 1)) return null
    // The precision of a quantisation table does not affect its slot.
    const slot = code === marker.DQT ? quantizationSlot(head & 15) : huffmanSlot(head)
    tables.push({ slot, bytes: data.subarray(at, end) })
    at = end
  }
  return tables
}

const quantizationSlot = (number: number): string => `quantization ${number}`

/** `id`: the number, plus 16 for AC coefficients. */
export const huffmanSlot = (id: number): string => `huffman ${id}`

const quantizationBytes = (head: number): number => (head >> 4 ? 129 : 65)

function huffmanBytes(data: Buffer, at: number): number {
  return data.subarray(at + 1, at + 17).reduce((sum, count) => sum + count, 17)
}

/** Returns the slots that the components of a scan refer to. `settled` lists components of earlier scans; adds those of
 *  this one. */
function usedSlots(scan: Segment, frame: Segment, settled: Set<number>): string[] {
  const slots = ['restart']
  const { hasDc, hasAc } = usedCoefficients(scan, frame)
  for (let at = 1; at + 1 < scan.data.length - 3; at += 2) {
    const [id = 0, selectors = 0] = scan.data.subarray(at)
    if (hasDc) slots.push(huffmanSlot(selectors >> 4))
    if (hasAc) slots.push(huffmanSlot(0x10 | (selectors & 15)))
    if (settled.has(id)) continue
    settled.add(id)
    for (let component = 6; component < frame.data.length; component += 3) {
      if (frame.data[component] === id) slots.push(quantizationSlot(frame.data[component + 2] ?? 0))
    }
  }
  return slots
}

/** Returns which Huffman tables a scan uses: both, except in a progressive JPEG (T.81, annex G), where it is one or,
 *  for DC refinement, none. */
function usedCoefficients({ data }: Segment, { marker: code }: Segment): { hasDc: boolean; hasAc: boolean } {
  if (code !== marker.SOF2) return { hasDc: true, hasAc: true }
  const [first, , approximation = 0] = data.subarray(-3)
  return { hasDc: first === 0 && approximation >> 4 === 0, hasAc: first !== 0 }
}
