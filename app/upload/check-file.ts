import { formatBytesApart } from '#format/bytes.ts'

/** What the file picker offers: names too, for systems that know no type for them. */
export const acceptedFiles = [
  ...['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif'],
  ...['.jpg', '.jpeg', '.jfif', '.png', '.apng', '.gif', '.webp', '.avif'],
] as const

export const formatNames = 'JPEG, PNG, GIF, WebP and AVIF'

export const notAnImage = `Only ${formatNames} images are taken.`
const heic =
  'This is a HEIC picture, which browsers cannot show. On the iPhone choose Settings > Camera > Formats > Most Compatible, or send it as a JPEG.'
const svg = 'SVG is not taken, as it can carry scripts. Export it as a PNG.'

export const unreadable = 'The file could not be read: was it moved or changed? Choose it again.'

/** Bytes of a file's beginning that tell what it is. */
export const headBytes = 64

/** Why a file cannot be kept, known before it is sent; null when it may be tried. Whatever the server takes passes here. */
export async function problemOf(file: File, maxBytes: number): Promise<string | null> {
  if (file.size === 0) return 'The file is empty.'
  if (file.size > maxBytes) return tooLarge(file.size, maxBytes)
  try {
    return problemOfContent(new Uint8Array(await file.slice(0, headBytes).arrayBuffer()))
  } catch {
    return unreadable
  }
}

/** To the byte where both sizes would read alike. */
function tooLarge(size: number, maxBytes: number): string {
  const [had, limit] = formatBytesApart(size, maxBytes)
  return `${had} is more than the ${limit} that one image may have. Save it smaller.`
}

/** Why what a file begins with is no image that can be kept, as the server judges it too, whatever it is called; null for one. */
export function problemOfContent(head: Uint8Array): string | null {
  const text = String.fromCharCode(...head)
  if (/^(?:\xff\xd8\xff|\x89PNG|GIF8|RIFF.{4}WEBP)/s.test(text)) return null
  if (text.slice(4, 8) === 'ftyp') return problemOfBrands(text.slice(8))
  return /^(?:\xef\xbb\xbf)?\s*<(?:svg|\?xml|!DOCTYPE svg)/i.test(text) ? svg : notAnImage
}

/** Of files in the container that AVIF, HEIC and videos share. */
function problemOfBrands(brands: string): string | null {
  if (/avi[fs]/.test(brands)) return null
  return /^(?:hei[cxms]|hev[cxms]|mif1|msf1)/.test(brands) ? heic : notAnImage
}
