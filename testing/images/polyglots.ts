import { deflateSync } from 'node:zlib'
import type { Format } from '#server/images/format.ts'
import { withChunk } from './bad-bombs.ts'
import { listBlocks } from './image-blocks.ts'
import { makePng } from './pictures.ts'
import { taintAvif } from './tainted-avif.ts'

export interface Polyglot {
  readonly format: Format
  readonly name: string
  readonly bytes: Buffer
}

/** Valid images that are also files of another type. `planted` is the content that they carry. */
export function polyglots(format: Format, file: Buffer, planted: Buffer): Polyglot[] {
  const made = { jpeg: ofJpeg, png: ofPng, gif: ofGif, webp: ofWebp, avif: ofAvif }[format](file, planted)
  const behind = [planted, makeZip(planted), Buffer.concat([file, planted])].map((tail) => Buffer.concat([file, tail]))
  return [...made, ...behind].map((bytes, index) => ({ format, name: `${format} polyglot ${index}`, bytes }))
}

/** Inserts bytes into a file at a position. */
const into = (file: Buffer, at: number, ...bytes: readonly Buffer[]): Buffer =>
  Buffer.concat([file.subarray(0, at), ...bytes, file.subarray(at)])

function ofJpeg(file: Buffer, planted: Buffer): Buffer[] {
  const segment = (marker: number, data: Buffer) => {
    const head = Buffer.from([0xff, marker, 0, 0])
    head.writeUInt16BE(data.length + 2, 2)
    return Buffer.concat([head, data])
  }
  const comment = segment(0xfe, planted)
  const scan = listBlocks('jpeg', file).at(-1)?.start ?? 2
  const exif = segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), planted]))
  const xmp = segment(0xe1, Buffer.concat([Buffer.from('http://ns.adobe.com/xap/1.0/\0'), planted]))
  return [
    into(file, 2, comment),
    into(file, scan, comment, segment(0xef, planted)),
    into(file, 2, exif),
    into(file, 2, xmp),
  ]
}

function ofPng(file: Buffer, planted: Buffer): Buffer[] {
  const chunk = (type: string, data: Buffer) => makePng([[type, data]]).subarray(8)
  const afterHeader = 33
  const packed = Buffer.concat([Buffer.from('Comment\0\0'), deflateSync(planted, { level: 0 })])
  return [
    into(file, afterHeader, chunk('phPp', planted)),
    into(file, afterHeader, chunk('tEXt', Buffer.concat([Buffer.from('Comment\0'), planted])), chunk('zTXt', packed)),
    into(file, afterHeader, chunk('iTXt', Buffer.concat([Buffer.from('XML:com.adobe.xmp\0\0\0\0\0'), planted]))),
    into(file, afterHeader, chunk('eXIf', Buffer.concat([Buffer.from('MM\0*\0\0\0\x08\0\0\0\0\0\0'), planted]))),
    into(file, file.length - 12, chunk('tEXt', Buffer.concat([Buffer.from('Comment\0'), planted]))),
  ]
}

function ofGif(file: Buffer, planted: Buffer): Buffer[] {
  const subBlock = Buffer.concat([Buffer.from([planted.length]), planted, Buffer.from([0])])
  const comment = Buffer.concat([Buffer.from([0x21, 0xfe]), subBlock])
  const application = Buffer.concat([Buffer.from('\x21\xff\x0bXMP DataXMP', 'latin1'), subBlock])
  const text = Buffer.concat([Buffer.from(`21010c${'00'.repeat(12)}`, 'hex'), subBlock])
  const first = listBlocks('gif', file)[0]?.end ?? 13
  return [into(file, first, comment), into(file, first, application), into(file, file.length - 1, comment, text)]
}

const ofWebp = (file: Buffer, planted: Buffer): Buffer[] =>
  ['XMP ', 'EXIF', 'JUNK'].map((type) => withChunk(file, type, planted))

const ofAvif = (file: Buffer): Buffer[] => [taintAvif(file)]

/** A ZIP of one stored file. */
function makeZip(data: Buffer): Buffer {
  const sizes = Buffer.alloc(8)
  sizes.writeUInt32LE(data.length, 0)
  sizes.writeUInt32LE(data.length, 4)
  const about = Buffer.concat([Buffer.alloc(12), sizes, Buffer.from('0100', 'hex')])
  const local = Buffer.concat([Buffer.from('PK\x03\x04\x0a\0'), about, Buffer.from('\0\0a'), data])
  return Buffer.concat([local, Buffer.from('PK\x05\x06'), Buffer.alloc(18)])
}
