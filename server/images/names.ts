import { formats } from './format.ts'

/** The maximum length of a stored file name or title, in characters. */
export const MAX_NAME = 200

/** C0 and C1 controls, line separators, the byte order mark, and bidirectional marks and overrides. */
const UNPRINTABLE = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu

/** Characters not allowed in file names on some system. */
const FOREIGN = /[<>:"/\\|?*\p{Cc}]/gu

/** Windows opens a device, not a file, under these names. */
const RESERVED = /^(?:con|conin\$|conout\$|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]) *(?:\.|$)/i

/** The maximum length of a description, in characters. */
export const MAX_DESCRIPTION = 2_000

/** Returns text of several lines, without controls, bidirectional overrides, surrounding spaces or more than one empty line in a
 *  row. */
export function cleanLines(text: string): string {
  const lines = text.split(/\r\n|[\n\r\u0085\u2028\u2029]/).map((line) => cleanText(line.replaceAll('\t', ' ')))
  return lines
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}

/** Returns text as one line without controls, bidirectional overrides or surrounding spaces. */
export const cleanText = (text: string): string => text.toWellFormed().replace(UNPRINTABLE, '').trim()

/** Parses the URI-encoded file name in the header x-file-name, without folders. Returns '' if there is none, and null if the
 *  encoding is invalid. */
export function parseFileName(header: string): string | null {
  const decoded = decode(header)
  if (decoded === null) return null
  const name = cleanText(decoded.split(/[/\\]/).at(-1) ?? '')
  return /^\.+$/.test(name) ? '' : shorten(name)
}

/** Returns a header's text, URI-encoded or not. */
export const decodeHeader = (header: string | undefined): string | undefined =>
  header === undefined ? undefined : (decode(header) ?? header)

/** Splits a name into its stem and its extension, which includes the dot and is '' if there is none. */
export function splitName(filename: string): { readonly stem: string; readonly extension: string } {
  const [, stem = filename, extension = ''] = /^(.+)(\.[A-Za-z0-9]{1,5})$/s.exec(filename) ?? []
  return { stem, extension }
}

/** Returns the name of a HEIC after it was converted to a JPEG. */
export const withoutHeic = (filename: string): string => filename.replace(/\.(?:hei[cf]|hif)$/i, '.jpg')

/** Returns the default title: the file's name without its extension. */
export const toTitle = (filename: string): string => splitName(filename).stem

/** Returns the file name for a download, with an extension that matches its type if that is known. */
export function downloadName(filename: string, mime: string): string {
  const [first, ...others] = listExtensions(mime)
  const own = splitName(filename).extension.slice(1).toLowerCase()
  const isRight = first === undefined || own === first || others.includes(own)
  const name = isRight ? filename : `${filename}.${first}`
  return RESERVED.test(name) ? `_${name}` : name
}

/** Returns a download's file name that is valid on every system: without folders, not hidden, and without the trailing dots and
 *  spaces that Windows drops. */
export function portableName(filename: string, mime: string): string {
  const name = filename.toWellFormed().replace(FOREIGN, '_')
  return downloadName(name.replace(/^[.\s]+|[.\s]+$/g, '') || 'image', mime)
}

/** Returns `stem` followed by `end`, with the stem cut between characters so that both fit in `maxBytes` bytes. */
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

/** Accepted extensions besides the one that Sluice uses. */
const synonyms: Readonly<Record<string, readonly string[]>> = { jpg: ['jpeg', 'jpe', 'jfif'], png: ['apng'] }

function listExtensions(mime: string): readonly string[] {
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

/** Cuts the stem, keeping the extension, and never through a surrogate pair. */
function shorten(name: string): string {
  const characters = [...name]
  if (characters.length <= MAX_NAME) return name
  const { extension } = splitName(name)
  return characters.slice(0, MAX_NAME - extension.length).join('') + extension
}
