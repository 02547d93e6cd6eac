import { BoxRefusal, FieldReader } from './iso-boxes.ts'

/** The top-level boxes of an AVIF. */
export interface AvifFile {
  /** The major brand and the compatible ones. */
  readonly brands: readonly string[]
  readonly meta: Buffer
  /** Bytes in `mdat` boxes. */
  readonly dataBytes: number
  /** Whether there are boxes of other types. */
  readonly hasOthers: boolean
  /** Bytes after the last box. */
  readonly trailerBytes: number
}

/** Boxes allowed at the top level. A truncated one is damage; any other bytes there are a trailer, and so is another
 *  file. */
const fileBoxes = new Set(['meta', 'mdat', 'moov', 'moof', 'free', 'skip', 'wide', 'uuid', 'udta', 'mpvd'])

/** Reads the top-level boxes. Throws BoxRefusal when one is truncated, or unless there is exactly one `meta`. */
export function readAvifFile(bytes: Buffer): AvifFile {
  const fields = new FieldReader(bytes)
  const { type, body: file } = fields.box()
  if (type !== 'ftyp') throw new BoxRefusal('undecodable')
  let meta: Buffer | undefined
  let dataBytes = 0
  let hasOthers = false
  while (fields.left > 0 && !isTrailer(bytes.subarray(bytes.length - fields.left))) {
    const box = fields.box()
    if (box.type === 'mdat') dataBytes += box.body.length
    else if (box.type !== 'meta') hasOthers = true
    else if (meta) throw new BoxRefusal('undecodable')
    else meta = box.body
  }
  if (!meta) throw new BoxRefusal('undecodable')
  return { brands: readBrands(file), meta, dataBytes, hasOthers, trailerBytes: fields.left }
}

function isTrailer(rest: Buffer): boolean {
  if (rest.length < 8) return true
  const type = rest.toString('latin1', 4, 8)
  if (type === 'ftyp') return true
  if (fileBoxes.has(type)) return false
  const size = rest.readUInt32BE(0)
  return size < 8 || size > rest.length
}

function readBrands(body: Buffer): string[] {
  const [major = '', , ...compatible] = body.toString('latin1').match(/.{4}/gs) ?? []
  return [major, ...compatible]
}
