export type Format = 'jpeg' | 'png' | 'gif' | 'webp' | 'avif'

/** What may be uploaded: a HEIC is stored as a JPEG, because few browsers show it. */
export type UploadFormat = Format | 'heic'

export const formats = {
  jpeg: { mime: 'image/jpeg', extension: 'jpg' },
  png: { mime: 'image/png', extension: 'png' },
  gif: { mime: 'image/gif', extension: 'gif' },
  webp: { mime: 'image/webp', extension: 'webp' },
  avif: { mime: 'image/avif', extension: 'avif' },
} as const satisfies Record<Format, { mime: string; extension: string }>

/** The number of leading bytes that `sniffFormat` needs: the brands of an AVIF or a HEIC are at offset 8 and from 16 on. */
export const SNIFF_BYTES = 64

/** Returns the format by a file's first bytes, never by its name or declared type; null for other files. */
export function sniffFormat(head: Uint8Array): UploadFormat | null {
  const text = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString('latin1')
  if (text.startsWith('\xff\xd8\xff')) return 'jpeg'
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (/^GIF8[79]a/.test(text)) return 'gif'
  if (/^RIFF.{4}WEBPVP8[ LX]/s.test(text)) return 'webp'
  return sniffBrands(head)
}

/** Major brands of pictures in a HEIF container that leave the coding to the compatible brands. */
const generalBrands = new Set(['mif1', 'mif2', 'miaf', 'msf1'])
/** Pictures in AV1 and in HEVC. The latter may be in a file whose major brand is that of a sequence, such as a burst. */
const avifBrands = new Set(['avif', 'MA1A', 'MA1B'])
const heicBrands = new Set(['heic', 'heix', 'heim', 'heis'])
const sequenceBrands = new Set(['hevc', 'hevx', 'hevm', 'hevs'])

/** Recognizes pictures by the brands of the `ftyp` box. `avis` sequences are not accepted: decoders show only their first picture. */
function sniffBrands(head: Uint8Array): 'avif' | 'heic' | null {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength)
  if (bytes.length < 16 || bytes.toString('latin1', 4, 8) !== 'ftyp') return null
  const text = bytes.toString('latin1', 8, Math.min(bytes.length, bytes.readUInt32BE(0)))
  const [major = '', , ...compatible] = text.match(/.{4}/gs) ?? []
  const brands = [major, ...compatible]
  const isGeneral = generalBrands.has(major)
  if ((isGeneral || avifBrands.has(major)) && brands.includes('avif')) return brands.includes('avis') ? null : 'avif'
  const isHevc = isGeneral || heicBrands.has(major) || sequenceBrands.has(major)
  return isHevc && brands.some((brand) => heicBrands.has(brand)) ? 'heic' : null
}

/** Returns 'jpg' for 'image/jpeg'. Throws for a type that is never stored. */
export function chooseExtension(mime: string): string {
  const format = Object.values(formats).find((known) => known.mime === mime)
  if (!format) throw new Error(`no extension for ${mime}`)
  return format.extension
}
