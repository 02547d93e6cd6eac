import { formats } from './format.ts'

/** Characters of a file name or a title that is kept. */
export const MAX_NAME = 200

/** C0 and C1 controls, line separators, the byte order mark, and the marks and overrides that reorder text. */
const UNPRINTABLE = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu

/** What is not part of a file's name on one system or another. */
const FOREIGN = /[<>:"/\\|?*\p{Cc}]/gu

/** Windows opens a device, not a file, under these names. */
const RESERVED = /^(?:con|conin\$|conout\$|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]) *(?:\.|$)/i

/** Text as one line: no controls, no reordering, no spaces around it. */
export const cleanText = (text: string): string => text.toWellFormed().replace(UNPRINTABLE, '').trim()

/** The file name in the header x-file-name, URI-encoded, without any folders; '' when it names none. Null when the encoding is broken. */
export function parseFileName(header: string): string | null {
  const decoded = decode(header)
  if (decoded === null) return null
  const name = cleanText(decoded.split(/[/\\]/).at(-1) ?? '')
  return /^\.+$/.test(name) ? '' : shorten(name)
}

/** A name as its stem and its extension, which has its dot, and is '' where there is none. */
export function partsOf(filename: string): { readonly stem: string; readonly extension: string } {
  const [, stem = filename, extension = ''] = /^(.+)(\.[A-Za-z0-9]{1,5})$/s.exec(filename) ?? []
  return { stem, extension }
}

/** A first title: the file's name without its extension. */
export const titleOf = (filename: string): string => partsOf(filename).stem

/** The name a download is saved under: its extension says what the bytes are, where their type is known. */
export function downloadName(filename: string, mime: string): string {
  const [first, ...others] = extensionsOf(mime)
  const own = partsOf(filename).extension.slice(1).toLowerCase()
  const isRight = first === undefined || own === first || others.includes(own)
  const name = isRight ? filename : `${filename}.${first}`
  return RESERVED.test(name) ? `_${name}` : name
}

/** The same as the name of a file on every system: in no folder, not hidden, without what Windows drops at an end. */
export function portableName(filename: string, mime: string): string {
  const name = filename.toWellFormed().replace(FOREIGN, '_')
  return downloadName(name.replace(/^[.\s]+|[.\s]+$/g, '') || 'image', mime)
}

/** A stem with what stands behind it, cut so that both have so many bytes, and never through a character. */
export function fitted(stem: string, end: string, maxBytes: number): string {
  let room = maxBytes - Buffer.byteLength(end)
  let kept = ''
  for (const character of stem) {
    room -= Buffer.byteLength(character)
    if (room < 0) break
    kept += character
  }
  return kept.trimEnd() + end
}

/** Extensions besides the one that Sluice gives. */
const synonyms: Readonly<Record<string, readonly string[]>> = { jpg: ['jpeg', 'jpe', 'jfif'], png: ['apng'] }

function extensionsOf(mime: string): readonly string[] {
  const format = Object.values(formats).find((known) => known.mime === mime)
  return format ? [format.extension, ...(synonyms[format.extension] ?? [])] : []
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
  const { extension } = partsOf(name)
  return characters.slice(0, MAX_NAME - extension.length).join('') + extension
}
