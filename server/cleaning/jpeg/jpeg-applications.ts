import type { Orientation, Removed } from '../cleaning.ts'
import { EXIF_HEADER, orientationTiff } from '../orientation.ts'
import { MAX_SEGMENT_DATA, makeSegment, marker, type Segment } from './jpeg-segments.ts'

const ICC_HEADER = 'ICC_PROFILE\0'
const ICC_CHUNK_START = ICC_HEADER.length + 2

/** How application segments begin, and what they contain. */
const kinds: readonly (readonly [code: number, start: string, kind: Removed])[] = [
  [marker.APP0, 'JFIF\0', 'preview'],
  [marker.APP0, 'JFXX\0', 'preview'],
  [marker.APP0 + 1, 'Exif', 'exif'],
  [marker.APP0 + 1, 'http://ns.adobe.com/x', 'xmp'],
  [marker.APP0 + 2, ICC_HEADER, 'profile-tags'],
  [marker.APP0 + 2, 'MPF\0', 'preview'],
  [marker.APP0 + 13, 'Photoshop', 'iptc'],
  [marker.APP0 + 13, 'Adobe_Photoshop', 'iptc'],
  [marker.COM, '', 'comment'],
]

/** Returns the kind of data that is lost when a segment is left out. */
export function removedSegmentKind(segment: Segment): Removed {
  return kinds.find(([code, start]) => code === segment.marker && startsWith(segment, start))?.[2] ?? 'other'
}

/** Returns the JFIF segment (version, density) without its thumbnail; undefined if there is none that libjpeg accepts.
 *  Replaces other major versions and impossible densities, about which libjpeg warns, by the defaults. */
export function jfif(segments: readonly Segment[]): Buffer | undefined {
  const found = segments.findLast((segment) => isApplication(segment, 0, 'JFIF\0') && segment.data.length >= 14)
  if (!found) return undefined
  const data = Buffer.from(found.data.subarray(0, 14))
  if (data[5] !== 1) data.writeUInt16BE(0x0101, 5)
  if (data.readUInt8(7) > 2 || data.readUInt16BE(8) === 0 || data.readUInt16BE(10) === 0)
    data.fill('0000010001', 7, 12, 'hex')
  data.fill(0, 12)
  return makeSegment(marker.APP0, data)
}

/** Returns Adobe's segment, which says how three or four components form colours. Unknown transforms become the one
 *  that libjpeg assumes. */
export function adobe(segments: readonly Segment[], components: number): Buffer | undefined {
  const found = segments.findLast((segment) => isApplication(segment, 14, 'Adobe') && segment.data.length >= 12)
  if (!found || components < 3) return undefined
  const transform = found.data[11] === 0 ? 0 : components - 2
  return makeSegment(marker.APP0 + 14, Buffer.from([...Buffer.from('Adobe'), 0, 100, 0, 0, 0, 0, transform]))
}

/** Returns the first EXIF segment, the one that libvips uses. */
export const findExif = (segments: readonly Segment[]): Buffer | undefined =>
  segments.find((segment) => isApplication(segment, 1, 'Exif'))?.data

export function exif(orientation: Orientation): Buffer | undefined {
  if (orientation === 1) return undefined
  return makeSegment(marker.APP0 + 1, Buffer.concat([Buffer.from(EXIF_HEADER, 'latin1'), orientationTiff(orientation)]))
}

/** Joins the colour profile from its numbered chunks, in any order, up to the first missing one, as libvips does. */
export function readProfile(segments: readonly Segment[]): Buffer | undefined {
  const chunks = new Map<number | undefined, Buffer>()
  for (const segment of segments)
    if (isApplication(segment, 2, ICC_HEADER) && segment.data.length > ICC_CHUNK_START)
      chunks.set(segment.data[ICC_HEADER.length], segment.data.subarray(ICC_CHUNK_START))
  const ordered: Buffer[] = []
  for (let chunk = chunks.get(1); chunk; chunk = chunks.get(ordered.length + 1)) ordered.push(chunk)
  return ordered.length > 0 ? Buffer.concat(ordered) : undefined
}

export function profileSegments(profile: Buffer): Buffer[] {
  const size = MAX_SEGMENT_DATA - ICC_CHUNK_START
  const count = Math.ceil(profile.length / size)
  return Array.from({ length: count }, (_, index) => {
    const head = Buffer.from(`${ICC_HEADER}${String.fromCharCode(index + 1, count)}`, 'latin1')
    return makeSegment(marker.APP0 + 2, Buffer.concat([head, profile.subarray(index * size, (index + 1) * size)]))
  })
}

const startsWith = (segment: Segment, start: string): boolean =>
  segment.data.toString('latin1', 0, start.length) === start

const isApplication = (segment: Segment, number: number, start: string): boolean =>
  segment.marker === marker.APP0 + number && startsWith(segment, start)
