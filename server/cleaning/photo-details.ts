import { integerReader, withoutExifName } from './orientation.ts'

/** When and with what a picture was taken, as its camera says. Nothing else of the metadata is read. */
export interface PhotoDetails {
  /** The camera's clock as ISO 8601 in UTC, whatever its time zone: an album of a journey is in the order of its days. */
  readonly takenAt: string | null
  /** For example `Canon EOS R6`. */
  readonly camera: string | null
}

const tags = { make: 0x010f, model: 0x0110, exif: 0x8769, takenAt: 0x9003, digitizedAt: 0x9004 }
const ENTRY_BYTES = 12
/** Far more than any camera writes. */
const MAX_ENTRIES = 1_000
const MAX_TEXT = 100
const ASCII = 2
/** Before it is the header. */
const FIRST_VALUE = 8

/** Reads the EXIF block of a picture (CIPA DC-008); what is missing or damaged in it is null. */
export function readPhotoDetails(block: Buffer | undefined, now: Date): PhotoDetails {
  const tiff = block && withoutExifName(block)
  const integer = tiff && integerReader(tiff)
  if (!tiff || integer?.(2, 2) !== 42) return { takenAt: null, camera: null }
  const findEntry = (ifd: number, tag: number): number | null => {
    const count = Math.min(integer(ifd, 2), MAX_ENTRIES)
    for (let index = 0; index < count; index += 1) {
      const at = ifd + 2 + index * ENTRY_BYTES
      if (integer(at, 2) === tag) return at
    }
    return null
  }
  const readText = (ifd: number, tag: number): string => {
    const entry = findEntry(ifd, tag)
    if (entry === null || integer(entry + 2, 2) !== ASCII) return ''
    const length = integer(entry + 4, 4)
    const start = length <= 4 ? entry + 8 : integer(entry + 8, 4)
    if (start < FIRST_VALUE || start + length > tiff.length) return ''
    const bytes = tiff.subarray(start, Math.min(start + length, start + MAX_TEXT))
    const [text = ''] = bytes.toString('utf8').split('\0')
    return text
      .replace(/[\p{C}\ufffd\p{Zl}\p{Zp}]/gu, '')
      .replace(/\s+/g, ' ')
      .trim()
  }
  const first = integer(4, 4)
  const pointer = findEntry(first, tags.exif)
  const exif = pointer === null ? null : integer(pointer + 8, 4)
  const stated = exif === null ? [] : [readText(exif, tags.takenAt), readText(exif, tags.digitizedAt)]
  const takenAt = stated.map((text) => parseDate(text, now)).find((date) => date !== null)
  return { takenAt: takenAt ?? null, camera: nameCamera(readText(first, tags.make), readText(first, tags.model)) }
}

/** The year of the first photograph. */
const FIRST_YEAR = 1826
const DAY_MS = 24 * 60 * 60 * 1000

/** Parses `YYYY:MM:DD HH:MM:SS`. Null for dates that do not exist, precede photography or are still to come. */
function parseDate(text: string, now: Date): string | null {
  const [, year = '', month = '', day = '', time = ''] = /^(\d{4}):(\d\d):(\d\d) (\d\d:\d\d:\d\d)$/.exec(text) ?? []
  const iso = `${year}-${month}-${day}T${time}.000Z`
  const date = new Date(iso)
  // A 31st of April would become the 1st of May.
  if (Number.isNaN(date.getTime()) || date.toISOString() !== iso) return null
  return date.getUTCFullYear() >= FIRST_YEAR && date.getTime() <= now.getTime() + DAY_MS ? iso : null
}

/** Most models begin with their maker: NIKON CORPORATION makes the NIKON D90. */
function nameCamera(make: string, model: string): string | null {
  const [maker = ''] = make.split(' ')
  const hasMaker = model.toLowerCase().startsWith(maker.toLowerCase())
  return (model === '' || hasMaker ? model : `${maker} ${model}`) || null
}
