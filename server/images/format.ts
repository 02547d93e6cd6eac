export type Format = 'jpeg' | 'png' | 'gif' | 'webp' | 'avif'

export const formats = {
  jpeg: { mime: 'image/jpeg', extension: 'jpg' },
  png: { mime: 'image/png', extension: 'png' },
  gif: { mime: 'image/gif', extension: 'gif' },
  webp: { mime: 'image/webp', extension: 'webp' },
  avif: { mime: 'image/avif', extension: 'avif' },
} as const satisfies Record<Format, { mime: string; extension: string }>

/** The number of leading bytes that `sniffFormat` needs: the brands of an AVIF are at offset 8 and from 16 on. */
export const SNIFF_BYTES = 64

/** Returns the format by a file's first bytes, never by its name or declared type; null for other files. */
export function sniffFormat(head: Uint8Array): Format | null {
  const text = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString('latin1')
  if (text.startsWith('\xff\xd8\xff')) return 'jpeg'
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (/^GIF8[79]a/.test(text)) return 'gif'
  if (/^RIFF.{4}WEBPVP8[ LX]/s.test(text)) return 'webp'
  return isAvif(head) ? 'avif' : null
}

/** Major brands of still pictures in a HEIF container. Those other than avif leave the coding to the compatible brands. */
const stillBrands = new Set(['avif', 'mif1', 'mif2', 'miaf', 'MA1A', 'MA1B'])

/** Recognizes an AVIF by the brands of its `ftyp` box. `avis` sequences are not accepted: decoders show only their first picture. */
function isAvif(head: Uint8Array): boolean {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength)
  if (bytes.length < 16 || bytes.toString('latin1', 4, 8) !== 'ftyp') return false
  const text = bytes.toString('latin1', 8, Math.min(bytes.length, bytes.readUInt32BE(0)))
  const [major = '', , ...compatible] = text.match(/.{4}/gs) ?? []
  const brands = [major, ...compatible]
  return stillBrands.has(major) && brands.includes('avif') && !brands.includes('avis')
}

/** Returns 'jpg' for 'image/jpeg'. Throws for a type that is never stored. */
export function chooseExtension(mime: string): string {
  const format = Object.values(formats).find((known) => known.mime === mime)
  if (!format) throw new Error(`no extension for ${mime}`)
  return format.extension
}
