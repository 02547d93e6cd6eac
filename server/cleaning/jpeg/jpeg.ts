import { MAX_METADATA, MAX_PIXELS, MAX_PROFILE, MAX_SCANNED_PIXELS } from '../caps.ts'
import type { Cleaning, CleaningRefusal, Removed } from '../cleaning.ts'
import { cleanProfile } from '../icc.ts'
import { readOrientation } from '../orientation.ts'
import { adobe, exif, findExif, jfif, profileSegments, readProfile, removedSegmentKind } from './jpeg-applications.ts'
import { scanLength } from './jpeg-scan-end.ts'
import { type JpegSegments, makeSegment, marker, readSegments, type Segment } from './jpeg-segments.ts'
import { type JpegTable, tableBytes, usedTables } from './jpeg-tables.ts'

const SOI = Buffer.from([0xff, marker.SOI])
const EOI = Buffer.from([0xff, marker.EOI])

/** Table segments whose codes lie within the range of frame markers. DAC belongs to arithmetic coding, which is not
 *  supported. */
const tableMarkers: ReadonlySet<number> = new Set([marker.DQT, marker.DHT, marker.DRI, marker.DAC])

/** Huffman-coded baseline, extended and progressive JPEGs: those that browsers show. */
const sequential: ReadonlySet<number> = new Set([0xc0, 0xc1])
const PROGRESSIVE = marker.SOF2

/** Rewrites a JPEG from its frame header, its scans and the tables they use, with JFIF's density, Adobe's colour
 *  transform, the cleaned profile and the orientation. Drops everything after EOI, including other pictures and videos,
 *  and repairs what libjpeg warns about but decodes: junk between segments, and unused parameters of baseline scans. */
export function cleanJpeg(bytes: Buffer): Cleaning {
  const file = readSegments(bytes)
  if (!file) return { outcome: 'undecodable' }
  const frame = readFrame(file.segments)
  if (typeof frame === 'string') return { outcome: frame }
  const scans = file.segments.filter(({ marker: code }) => code === marker.SOS).length
  if (scans * frame.width * frame.height > MAX_SCANNED_PIXELS) return { outcome: 'too-many-pixels' }
  if (tableBytes(file.segments) > MAX_METADATA) return { outcome: 'too-much-metadata' }
  const image = imageSegments(file.segments, frame.marker)
  if (!image) return { outcome: 'undecodable' }
  const applications = file.segments.slice(
    0,
    file.segments.findIndex((segment) => segment.marker === marker.SOS),
  )
  const profile = readProfile(applications)
  if (metadataBytes(file, image) > MAX_METADATA || (profile?.length ?? 0) > MAX_PROFILE)
    return { outcome: 'too-much-metadata' }
  const cleanedProfile = profile && cleanProfile(profile).profile
  const block = findExif(applications)
  const orientation = block ? readOrientation(block) : 1
  const head = [
    jfif(applications),
    exif(orientation),
    ...(cleanedProfile ? profileSegments(cleanedProfile) : []),
    adobe(applications, frame.components),
  ].filter((segment) => segment !== undefined)
  const removed = removedFrom(bytes, file, image, head)
  const { width, height } = frame
  const parts = [SOI, ...head, ...image.flatMap((segment) => [segment.written, segment.scan]), EOI]
  return { outcome: 'clean', parts, header: { width, height, frames: 1, orientation }, removed, exif: block }
}

interface Frame {
  readonly marker: number
  readonly width: number
  readonly height: number
  readonly components: number
}

/** Returns the only frame header, which must precede the first scan. */
function readFrame(segments: readonly Segment[]): Frame | CleaningRefusal {
  const hierarchical = segments.some(({ marker: code }) => code === marker.DHP || code === marker.EXP)
  const [header, second] = segments.filter(isFrameHeader)
  if (hierarchical) return 'unsupported'
  if (!header || second || header.data.length < 6) return 'undecodable'
  if (segments.findIndex(({ marker: code }) => code === marker.SOS) < segments.indexOf(header)) return 'undecodable'
  const { data } = header
  const [height, width, components] = [data.readUInt16BE(1), data.readUInt16BE(3), data.readUInt8(5)]
  if (width * height > MAX_PIXELS) return 'too-many-pixels'
  if (!(sequential.has(header.marker) || header.marker === PROGRESSIVE) || data[0] !== 8) return 'unsupported'
  if (width === 0 || components === 0 || data.length !== 6 + components * 3) return 'undecodable'
  // A height of zero defers to a DNL marker after the first scan; libjpeg and browsers do not support that.
  return height === 0 ? 'unsupported' : { marker: header.marker, width, height, components }
}

const isFrameHeader = ({ marker: code }: Segment): boolean =>
  code >= marker.SOF0 && code <= marker.SOF15 && !tableMarkers.has(code)

/** A segment that contributes to the pixels, and its rewritten bytes. */
interface ImageSegment extends Segment {
  readonly written: Buffer
}

/** Returns the frame header, the scans and the tables they use. Null when there is no scan, or an incomplete one. */
function imageSegments(segments: readonly Segment[], frameMarker: number): ImageSegment[] | null {
  const untilLastScan = segments.slice(0, segments.findLastIndex(({ marker: code }) => code === marker.SOS) + 1)
  const frame = untilLastScan.find(isFrameHeader)
  const tables = frame && usedTables(untilLastScan, frame)
  if (!tables) return null
  const image = untilLastScan.flatMap((segment): ImageSegment[] => {
    const written = rewriteSegment(segment, tables.get(segment), frameMarker)
    return written ? [{ ...segment, written }] : []
  })
  const [scan, second] = image.filter((segment) => segment.marker === marker.SOS)
  if (!scan || second || frameMarker === PROGRESSIVE) return scan ? image : null
  const length = scanLength(image, frame, scan)
  return length === null ? null : [...image.slice(0, -1), { ...scan, scan: scan.scan.subarray(0, length) }]
}

/** Returns the bytes to write; null for a segment that is left out. */
function rewriteSegment(segment: Segment, used: readonly JpegTable[] | undefined, frameMarker: number): Buffer | null {
  if (segment.marker === marker.SOS) return sequential.has(frameMarker) ? sequentialScan(segment) : segment.bytes
  if (!used) return isFrameHeader(segment) ? segment.bytes : null
  const data = Buffer.concat(used.map(({ bytes }) => bytes))
  if (data.length === segment.data.length) return segment.bytes
  return data.length > 0 ? makeSegment(segment.marker, data) : null
}

/** Writes the spectral selection of a sequential scan as all 64 coefficients. Some cameras write zeros, which
 *  sequential decoders ignore. */
function sequentialScan({ bytes }: Segment): Buffer {
  if (bytes.length < 7) return bytes
  const written = Buffer.from(bytes)
  written.fill('003f00', bytes.length - 3, bytes.length, 'hex')
  return written.equals(bytes) ? bytes : written
}

/** Returns the bytes before EOI that are not coded pixels. */
function metadataBytes({ end }: JpegSegments, image: readonly ImageSegment[]): number {
  return image.reduce((left, { written, scan }) => left - written.length - scan.length, end - SOI.length - EOI.length)
}

function removedFrom(
  bytes: Buffer,
  file: JpegSegments,
  image: readonly ImageSegment[],
  head: readonly Buffer[],
): Removed[] {
  const kept = new Set(image.map((segment) => segment.bytes))
  const left = file.segments.filter((segment) => !kept.has(segment.bytes))
  const removed = new Set(
    left.filter((segment) => !head.some((part) => part.equals(segment.bytes))).map(removedSegmentKind),
  )
  const accounted = file.segments.reduce((sum, segment) => sum + segment.bytes.length + segment.scan.length, 0)
  const scans = (segments: readonly Segment[]) => segments.reduce((sum, { scan }) => sum + scan.length, 0)
  if (scans(image) < scans(file.segments)) removed.add('trailer')
  const hasUnusedTables = image.some(({ written, bytes }) => written.length < bytes.length)
  if (hasUnusedTables || accounted < file.end - SOI.length - EOI.length) removed.add('other')
  if (file.end < bytes.length) removed.add('trailer')
  return [...removed]
}
