import { extensionOf } from './format.ts'

/** Characters of a file name or a title that is kept. */
export const MAX_NAME = 200

/** C0 and C1 controls, line separators, the byte order mark, and the marks and overrides that reorder text. */
const UNPRINTABLE = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu

/** Windows opens a device, not a file, under these names. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/** Text as one line: no controls, no reordering, no spaces around it. */
export const cleanText = (text: string): string => text.toWellFormed().replace(UNPRINTABLE, '').trim()

/** The file name in the header x-file-name, URI-encoded, without any folders; '' when it names none. Null when the encoding is broken. */
export function parseFileName(header: string): string | null {
  const decoded = decode(header)
  if (decoded === null) return null
  const name = cleanText(decoded.split(/[/\\]/).at(-1) ?? '')
  return /^\.+$/.test(name) ? '' : shorten(name)
}

/** A first title: the file's name without its extension. */
export function titleOf(filename: string): string {
  return filename.replace(/\.[A-Za-z0-9]{1,5}$/, '') || filename
}

/** The name a download is saved under: its extension says what the bytes are. */
export function downloadName(filename: string, mime: string): string {
  const extension = extensionOf(mime)
  const isRight =
    filename.toLowerCase().endsWith(`.${extension}`) || (extension === 'jpg' && /\.jpe?g$/i.test(filename))
  const name = isRight ? filename : `${filename}.${extension}`
  return RESERVED.test(name) ? `_${name}` : name
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

/** Cuts the stem, keeping a short extension, and never through a surrogate pair. */
function shorten(name: string): string {
  const characters = [...name]
  if (characters.length <= MAX_NAME) return name
  const extension = /\.[A-Za-z0-9]{1,5}$/.exec(name)?.[0] ?? ''
  return characters.slice(0, MAX_NAME - extension.length).join('') + extension
}
