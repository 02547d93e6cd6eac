import { MAX_METADATA, MAX_PIXELS, MAX_PROFILE } from './caps.ts'
import type { Cleaning, CleaningRefusal, Removed } from './cleaning.ts'
import { cleanProfile } from './icc.ts'
import { adobe, exif, jfif, kindOf, orientationOf, profileSegments, readProfile } from './jpeg-applications.ts'
import { scanLength } from './jpeg-scan-end.ts'
import { marker, readSegments, type Segment, type Segments } from './jpeg-segments.ts'

const SOI = Buffer.from([0xff, marker.SOI])
const EOI = Buffer.from([0xff, marker.EOI])

const tables: ReadonlySet<number> = new Set([marker.DQT, marker.DHT, marker.DAC, marker.DRI])

/** Baseline, extended and progressive, Huffman coded: what browsers show. */
const sequential: ReadonlySet<number> = new Set([0xc0, 0xc1])
const PROGRESSIVE = 0xc2

/**
 * Writes a JPEG anew from its first frame's tables, frame header and scans, with JFIF's density, Adobe's colour
 * transform, the cleaned profile and the orientation. What follows its EOI is gone, and with it other pictures and films;
 * what libjpeg warns of but decodes all the same (junk between segments, a baseline scan's unused parameters) is mended.
 */
export function cleanJpeg(bytes: Buffer): Cleaning {
  const file = readSegments(bytes)
  if (!file) return { outcome: 'undecodable' }
  const frame = readFrame(file.segments)
  if (typeof frame === 'string') return { outcome: frame }
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
  const orientation = orientationOf(applications)
  const head = [
    jfif(applications),
    exif(orientation),
    ...(cleanedProfile ? profileSegments(cleanedProfile) : []),
    adobe(applications, frame.components),
  ].filter((segment) => segment !== undefined)
  const removed = removedFrom(bytes, file, image, head)
  const { width, height } = frame
  const parts = [SOI, ...head, ...image.flatMap((segment) => [segment.written, segment.scan]), EOI]
  return { outcome: 'clean', parts, header: { width, height, frames: 1, orientation }, removed }
}

interface Frame {
  readonly marker: number
  readonly width: number
  readonly height: number
  readonly components: number
}

/** The one frame header, before the first scan. */
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
  // Zero lines leave it to DNL, behind the first scan, to say how many there are; libjpeg and browsers take none.
  return height === 0 ? 'unsupported' : { marker: header.marker, width, height, components }
}

const isFrameHeader = ({ marker: code }: Segment): boolean =>
  code >= marker.SOF0 && code <= marker.SOF15 && !tables.has(code)

/** A segment that takes part in the pixels, and how it is written. */
interface ImageSegment extends Segment {
  readonly written: Buffer
}

/** Tables, the frame header and scans; tables behind the last scan serve none. Null when there is no scan, or not all of it. */
function imageSegments(segments: readonly Segment[], frameMarker: number): ImageSegment[] | null {
  const last = segments.findLastIndex(({ marker: code }) => code === marker.SOS)
  const image = segments
    .slice(0, last + 1)
    .filter((segment) => tables.has(segment.marker) || isFrameHeader(segment) || segment.marker === marker.SOS)
    .map((segment) => ({ ...segment, written: sequential.has(frameMarker) ? sequentialScan(segment) : segment.bytes }))
  const [scan, second] = image.filter((segment) => segment.marker === marker.SOS)
  const frame = image.find(isFrameHeader)
  if (!scan || !frame || second || frameMarker === PROGRESSIVE) return scan ? image : null
  const length = scanLength(image, frame, scan)
  return length === null ? null : [...image.slice(0, -1), { ...scan, scan: scan.scan.subarray(0, length) }]
}

/** A scan of all 64 coefficients says so: some cameras write zeros instead, which sequential decoders do not look at. */
function sequentialScan({ marker: code, bytes }: Segment): Buffer {
  if (code !== marker.SOS || bytes.length < 7) return bytes
  const written = Buffer.from(bytes)
  written.fill('003f00', bytes.length - 3, bytes.length, 'hex')
  return written.equals(bytes) ? bytes : written
}

/** Bytes before EOI that are no coded pixels. */
function metadataBytes({ end }: Segments, image: readonly ImageSegment[]): number {
  return image.reduce((left, { bytes, scan }) => left - bytes.length - scan.length, end - SOI.length - EOI.length)
}

function removedFrom(
  bytes: Buffer,
  file: Segments,
  image: readonly ImageSegment[],
  head: readonly Buffer[],
): Removed[] {
  const kept = new Set(image.map((segment) => segment.bytes))
  const left = file.segments.filter((segment) => !kept.has(segment.bytes))
  const removed = new Set(left.filter((segment) => !head.some((part) => part.equals(segment.bytes))).map(kindOf))
  const accounted = file.segments.reduce((sum, segment) => sum + segment.bytes.length + segment.scan.length, 0)
  const scans = (segments: readonly Segment[]) => segments.reduce((sum, { scan }) => sum + scan.length, 0)
  if (scans(image) < scans(file.segments)) removed.add('trailer')
  if (accounted < file.end - SOI.length - EOI.length) removed.add('other')
  if (file.end < bytes.length) removed.add('trailer')
  return [...removed]
}
