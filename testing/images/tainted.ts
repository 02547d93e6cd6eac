import type { Orientation } from '#server/cleaning/cleaning.ts'
import { EXIF_HEADER } from '#server/cleaning/orientation.ts'

/** Planted in every place of a file that a cleaner must clear. */
export const TAINT = 'TAINT'

/** Whether the word is left, in ASCII or UTF-16. */
export function isTainted(bytes: Buffer): boolean {
  const wide = Buffer.from(TAINT, 'utf16le')
  return bytes.includes(TAINT) || bytes.includes(wide) || bytes.includes(Buffer.from(wide).swap16())
}

/**
 * Returns a JPEG with private text in every place that can contain it: segments before, between and after the required
 * ones.
 */
export function taintedJpeg(jpeg: Buffer, orientation: Orientation = 1): Buffer {
  const scan = jpeg.indexOf(Buffer.from([0xff, 0xda]))
  return Buffer.concat([
    jpeg.subarray(0, 2),
    jfifWithThumbnail(),
    jpegSegment(0xe1, `${EXIF_HEADER}${taintedTiff(orientation).toString('latin1')}`),
    jpegSegment(0xe1, `http://ns.adobe.com/xap/1.0/\0${taintedXmp}`),
    jpegSegment(0xe1, `http://ns.adobe.com/xmp/extension/\0${'0'.repeat(32)}\0\0\0\x20\0\0\0\0${taintedXmp}`),
    jpegSegment(0xe2, `MPF\0MM\0*\0\0\0\x08 ${TAINT}`),
    jpegSegment(0xe2, `FPXR\0\0\x02 ${TAINT}`),
    jpegSegment(0xe0, `JFXX\0\x10 ${TAINT}`),
    jpegSegment(0xec, `Ducky\0\x01\0\x04\0\0\0\x41 ${TAINT}`),
    jpegSegment(0xed, `Photoshop 3.0\x008BIM\x04\x04\0\0\0\0\0\x0a\x1c\x02\x5a\0\x05${TAINT}`),
    jpegSegment(0xe4, `SEFH ${TAINT}`),
    jpegSegment(0xef, TAINT),
    jpegSegment(0xfe, `Created by ${TAINT}`),
    // Neither a segment nor picture data: decoders skip it.
    Buffer.from(`junk ${TAINT}`),
    jpeg.subarray(2, scan),
    jpegSegment(0xfe, `before the scan ${TAINT}`),
    jpeg.subarray(scan, -2),
    jpegSegment(0xfe, `behind the scan ${TAINT}`),
    jpeg.subarray(-2),
    Buffer.from(`MotionPhoto_Data ftypmp42 <script>${TAINT}</script>`),
    jpeg.subarray(0, scan),
  ])
}

/**
 * Returns a WebP with private text in every place that can contain it: converted to the extended format if necessary,
 * with chunks around everything, in frames, and after its end.
 */
export function taintedWebp(webp: Buffer, orientation: Orientation = 1): Buffer {
  const chunks = splitChunks(webp.subarray(12))
  const [first] = chunks
  const canvas = first?.type === 'VP8X' ? Buffer.from(first.data) : makeCanvas(first)
  // EXIF and XMP; three reserved bytes follow the flags.
  canvas[0] = (canvas[0] ?? 0) | 0x08 | 0x04
  canvas.write('TNT', 1, 'latin1')
  const personal = webpChunk('TANT', `unknown ${TAINT}`)
  const rest = chunks
    .filter(({ type }) => type !== 'VP8X')
    .flatMap(({ type, data }) => (type === 'ALPH' ? [webpChunk(type, data)] : [taintedChunk(type, data), personal]))
  const body = Buffer.concat([
    Buffer.from('WEBP'),
    webpChunk('VP8X', canvas),
    ...rest,
    webpChunk('EXIF', taintedTiff(orientation)),
    webpChunk('EXIF', `second ${TAINT}`),
    webpChunk('XMP ', taintedXmp),
  ])
  const head = Buffer.from('RIFF\0\0\0\0')
  head.writeUInt32LE(body.length, 4)
  return Buffer.concat([head, body, Buffer.from(`behind the end ${TAINT}`)])
}

/** Returns a TIFF block as cameras write it: maker, serial numbers, position, maker note and thumbnail. */
export function taintedTiff(orientation: Orientation): Buffer {
  const text = (tag: number, value: string): Entry => ({ tag, type: 2, data: Buffer.from(`${value} ${TAINT}\0`) })
  const camera = [text(0x9003, '2026:01:02 03:04:05'), { tag: 0x927c, type: 7, data: Buffer.from(`note ${TAINT}`) }]
  const serials = [text(0xa430, 'Anna'), text(0xa431, '4711-0815'), text(0xa435, '0815-4711')]
  const degrees = Buffer.from('000000340000000100000010000000010000001e00000001', 'hex')
  const place = [text(0x0001, 'N'), { tag: 0x0002, type: 5, data: degrees }, text(0x001d, '2026:01:02')]
  const turned = { tag: 0x0112, type: 3, data: Buffer.from([0, orientation]) }
  const main = [text(0x010e, 'At home'), text(0x010f, 'Maker'), text(0x0110, 'Model'), turned, text(0x013b, 'Anna')]
  const folders: Folder[] = [
    { tag: 0x8769, entries: [...camera, ...serials] },
    { tag: 0x8825, entries: place },
  ]
  return makeTiff(main, folders, Buffer.from(`\xff\xd8 thumbnail ${TAINT} \xff\xd9`, 'latin1'))
}

/** Returns a profile with the tags of a calibrated display, and with text between its tags and after them. */
export function taintedProfile(profile: Buffer): Buffer {
  const personal = ['meta', 'mmod', 'vcgt', 'dmdd', 'scrd'].map((signature) => ({
    signature,
    data: Buffer.from(`text\0\0\0\0${signature} ${TAINT}\0`),
  }))
  const count = profile.readUInt32BE(128)
  const grown = 12 * personal.length
  const table = Buffer.from(profile.subarray(132, 132 + count * 12))
  for (let at = 4; at < table.length; at += 12) table.writeUInt32BE(table.readUInt32BE(at) + grown, at)
  let end = profile.length + grown
  const entries = personal.map(({ signature, data }) => {
    const entry = Buffer.alloc(12)
    entry.write(signature)
    entry.writeUInt32BE(end, 4)
    entry.writeUInt32BE(data.length, 8)
    end += data.length
    return entry
  })
  const header = Buffer.from(profile.subarray(0, 132))
  header.write(TAINT, 100)
  header.writeUInt32BE(count + personal.length, 128)
  const behind = Buffer.from(`behind ${TAINT}`)
  header.writeUInt32BE(end + behind.length, 0)
  const tags = profile.subarray(132 + count * 12)
  return Buffer.concat([header, table, ...entries, tags, ...personal.map(({ data }) => data), behind])
}

/** XMP as an editor writes it. */
export const taintedXmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/" dc:creator="${TAINT}"/></rdf:RDF></x:xmpmeta>`

/** A segment of a JPEG: its marker's code, and characters that are bytes. */
export function jpegSegment(code: number, data: string | Buffer): Buffer {
  const bytes = Buffer.from(data.toString('latin1'), 'latin1')
  const head = Buffer.from([0xff, code, 0, 0])
  head.writeUInt16BE(bytes.length + 2, 2)
  return Buffer.concat([head, bytes])
}

/** Returns a WebP chunk. Its padding is tainted too, unless it is a bitstream's, because decoders read on into that. */
export function webpChunk(type: string, data: string | Buffer): Buffer {
  const bytes = Buffer.from(data.toString('latin1'), 'latin1')
  const head = Buffer.from(`${type}\0\0\0\0`, 'latin1')
  head.writeUInt32LE(bytes.length, 4)
  return Buffer.concat([head, bytes, Buffer.alloc(bytes.length & 1, bitstreams.has(type) ? 0 : 'T')])
}

const bitstreams = new Set(['VP8 ', 'VP8L', 'ALPH'])

function jfifWithThumbnail(): Buffer {
  const pixels = Buffer.from(`${TAINT}${TAINT}${TAINT}${TAINT}`.slice(0, 18))
  return jpegSegment(0xe0, Buffer.concat([Buffer.from('4a46494600010201004800480302', 'hex'), pixels]))
}

interface WebpChunk {
  readonly type: string
  readonly data: Buffer
}

function splitChunks(bytes: Buffer): WebpChunk[] {
  const chunks: WebpChunk[] = []
  for (let at = 0; at < bytes.length; ) {
    const end = at + 8 + bytes.readUInt32LE(at + 4)
    chunks.push({ type: bytes.toString('latin1', at, at + 4), data: bytes.subarray(at + 8, end) })
    at = end + (end & 1)
  }
  return chunks
}

/** Returns a VP8X chunk for a file without one, with the size in its bitstream. */
function makeCanvas(chunk: WebpChunk | undefined): Buffer {
  const canvas = Buffer.alloc(10)
  if (!chunk) return canvas
  const bits = chunk.data.readUInt32LE(1)
  const isLossless = chunk.type === 'VP8L'
  canvas.writeUIntLE(isLossless ? bits & 0x3fff : (chunk.data.readUInt16LE(6) & 0x3fff) - 1, 4, 3)
  canvas.writeUIntLE(isLossless ? (bits >>> 14) & 0x3fff : (chunk.data.readUInt16LE(8) & 0x3fff) - 1, 7, 3)
  canvas[0] = isLossless && (bits >>> 28) & 1 ? 0x10 : 0
  return canvas
}

/** A frame may contain chunks and has reserved bits; an ANIM chunk may exceed its six bytes. */
function taintedChunk(type: string, data: Buffer): Buffer {
  if (type === 'ANIM') return webpChunk(type, Buffer.concat([data, Buffer.from(TAINT)]))
  if (type === 'ICCP') return webpChunk(type, taintedProfile(data))
  if (type !== 'ANMF') return webpChunk(type, data)
  const frame = Buffer.concat([data, webpChunk('TANT', `in a frame ${TAINT}`)])
  frame[15] = (frame[15] ?? 0) | 0xfc
  return webpChunk(type, frame)
}

interface Entry {
  readonly tag: number
  readonly type: number
  readonly data: Buffer
}

interface Folder {
  readonly tag: number
  readonly entries: readonly Entry[]
}

const unitBytes = new Map([
  [3, 2],
  [4, 4],
  [5, 8],
])

/** Big-endian: IFD0 with its sub-IFDs, and IFD1 with the thumbnail. */
function makeTiff(entries: readonly Entry[], folders: readonly Folder[], thumbnail: Buffer): Buffer {
  const long = (tag: number, value: number): Entry => {
    const data = Buffer.alloc(4)
    data.writeUInt32BE(value)
    return { tag, type: 4, data }
  }
  const start = 8 + ifdLength([...entries, ...folders.map(({ tag }) => long(tag, 0))])
  let at = start
  const places = folders.map((folder) => {
    const place = at
    at += ifdLength(folder.entries)
    return place
  })
  const pointers = folders.map(({ tag }, index) => long(tag, places[index] ?? 0))
  const main = ifd([...entries, ...pointers], 8, at)
  const inner = folders.map((folder, index) => ifd(folder.entries, places[index] ?? 0, 0))
  const second = (offset: number) => [long(0x0201, offset), long(0x0202, thumbnail.length)]
  const behind = at + ifdLength(second(0))
  return Buffer.concat([Buffer.from('4d4d002a00000008', 'hex'), main, ...inner, ifd(second(behind), at, 0), thumbnail])
}

const ifdLength = (entries: readonly Entry[]): number =>
  6 + entries.reduce((sum, { data }) => sum + 12 + (data.length > 4 ? data.length : 0), 0)

/** Returns an IFD at its offset: its entries, the offset of the next one, and the values of more than four bytes. */
function ifd(entries: readonly Entry[], offset: number, next: number): Buffer {
  const head = Buffer.alloc(6 + entries.length * 12)
  head.writeUInt16BE(entries.length)
  head.writeUInt32BE(next, head.length - 4)
  const values: Buffer[] = []
  let end = offset + head.length
  for (const [index, { tag, type, data }] of entries.entries()) {
    const at = 2 + index * 12
    head.writeUInt16BE(tag, at)
    head.writeUInt16BE(type, at + 2)
    head.writeUInt32BE(data.length / (unitBytes.get(type) ?? 1), at + 4)
    if (data.length <= 4) data.copy(head, at + 8)
    else {
      head.writeUInt32BE(end, at + 8)
      values.push(data)
      end += data.length
    }
  }
  return Buffer.concat([head, ...values])
}
