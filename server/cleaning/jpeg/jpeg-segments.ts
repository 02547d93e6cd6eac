/** A marker segment, and after SOS the entropy-coded data of the scan. */
export interface Segment {
  readonly marker: number
  /** From the marker's 0xFF to the end of its parameters. */
  readonly bytes: Buffer
  /** Only the parameters. */
  readonly data: Buffer
  /** Includes restart markers; empty except for SOS. */
  readonly scan: Buffer
}

export const marker = {
  TEM: 0x01,
  SOF0: 0xc0,
  SOF2: 0xc2,
  DHT: 0xc4,
  JPG: 0xc8,
  DAC: 0xcc,
  SOF15: 0xcf,
  RST0: 0xd0,
  RST7: 0xd7,
  SOI: 0xd8,
  EOI: 0xd9,
  SOS: 0xda,
  DQT: 0xdb,
  DNL: 0xdc,
  DRI: 0xdd,
  DHP: 0xde,
  EXP: 0xdf,
  APP0: 0xe0,
  APP15: 0xef,
  COM: 0xfe,
} as const

/** Far more than any camera or editor writes: a profile takes 255 at most, extended XMP one per 64 kB. */
const MAX_SEGMENTS = 10_000

/** From SOI to the first EOI outside of a segment. */
export interface JpegSegments {
  readonly segments: readonly Segment[]
  /** The offset after EOI. */
  readonly end: number
}

/** Splits a JPEG into segments (ITU-T T.81, annex B) as libjpeg does, skipping junk before markers and markers without
 *  parameters. Null for a file that ends before EOI or contains markers that do not belong there. */
export function readSegments(bytes: Buffer): JpegSegments | null {
  if (bytes[0] !== 0xff || bytes[1] !== marker.SOI) return null
  const segments: Segment[] = []
  let at = 2
  while (segments.length <= MAX_SEGMENTS) {
    const found = nextMarker(bytes, at)
    const code = bytes[found + 1]
    if (code === undefined) return null
    at = found + 2
    if (code === marker.EOI) return { segments, end: at }
    if (isRestart(code) || code === marker.TEM) continue
    if (!hasParameters(code) || at + 2 > bytes.length) return null
    const end = at + bytes.readUInt16BE(at)
    if (end < at + 2 || end > bytes.length) return null
    const scanEnd = code === marker.SOS ? endOfScan(bytes, end) : end
    const [segment, data] = [bytes.subarray(found, end), bytes.subarray(at + 2, end)]
    segments.push({ marker: code, bytes: segment, data, scan: bytes.subarray(end, scanEnd) })
    at = scanEnd
  }
  return null
}

const isRestart = (code: number): boolean => code >= marker.RST0 && code <= marker.RST7

/** Frames, tables, scans, applications and comments; not reserved markers, and not a second SOI. */
const hasParameters = (code: number): boolean =>
  (code >= marker.SOF0 && code <= marker.APP15 && code !== marker.SOI) || code === marker.COM

/** Returns the offset of the last 0xFF before the next marker's code; the end of the file when there is none. */
function nextMarker(bytes: Buffer, start: number): number {
  for (let at = start; at < bytes.length; at += 1) {
    if (bytes[at] !== 0xff) continue
    const code = bytes[at + 1]
    if (code !== 0xff && code !== 0) return at
  }
  return bytes.length
}

/** Bytes to check one by one before searching for the next 0xFF: where these are frequent, a call for each would be
 *  slow. */
export const NEAR = 32

/** Returns the offset of the first 0xFF of the marker that ends a scan, ignoring restart markers. */
function endOfScan(bytes: Buffer, start: number): number {
  let at = start
  for (;;) {
    const near = Math.min(at + NEAR, bytes.length)
    while (at < near && bytes[at] !== 0xff) at += 1
    if (bytes[at] !== 0xff) at = bytes.indexOf(0xff, at)
    if (at < 0) return bytes.length
    let code = at + 1
    while (bytes[code] === 0xff) code += 1
    const value = bytes[code]
    if (value === undefined) return bytes.length
    if (value !== 0 && !isRestart(value)) return at
    at = code + 1
  }
}

/** What a segment's length field leaves for its parameters. */
export const MAX_SEGMENT_DATA = 65_533

/** Returns a marker segment with these parameters. */
export function makeSegment(code: number, data: Buffer): Buffer {
  const head = Buffer.from([0xff, code, 0, 0])
  head.writeUInt16BE(data.length + 2, 2)
  return Buffer.concat([head, data])
}
