import { crc32 } from 'node:zlib'

export interface ZippedFile {
  readonly name: string
  readonly bytes: Buffer
}

const END = 0x06054b50
const ENTRY = 0x02014b50
const LOCAL = 0x04034b50
const UTF_8 = 0x0800

/** Reads the files of an uncompressed zip by its central directory (APPNOTE 6.3.10). Throws if the zip is truncated, compressed or
 *  damaged. */
export function readZip(zip: Buffer): readonly ZippedFile[] {
  const end = zip.length - 22
  if (zip.readUInt32LE(end) !== END) throw new Error('no end of a central directory')
  const count = zip.readUInt16LE(end + 10)
  let at = zip.readUInt32LE(end + 16)
  return Array.from({ length: count }, () => {
    if (zip.readUInt32LE(at) !== ENTRY || zip.readUInt16LE(at + 10) !== 0) throw new Error('no stored entry')
    if (!(zip.readUInt16LE(at + 8) & UTF_8)) throw new Error('a name that is not said to be UTF-8')
    const [crc, size] = [zip.readUInt32LE(at + 16), zip.readUInt32LE(at + 24)]
    const [nameLength, extraLength] = [zip.readUInt16LE(at + 28), zip.readUInt16LE(at + 30)]
    const local = zip.readUInt32LE(at + 42)
    if (zip.readUInt32LE(local) !== LOCAL) throw new Error('no local header')
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength)
    const bytes = zip.subarray(start, start + size)
    if (crc32(bytes) !== crc) throw new Error(`${name} is damaged`)
    at += 46 + nameLength + extraLength + zip.readUInt16LE(at + 32)
    return { name, bytes }
  })
}
