import { MAX_PROFILE } from './caps.ts'
import { cleanElement, colourChannels, isColourTag } from './icc-elements.ts'
import { copyrightNotice, profileName } from './icc-names.ts'

/** A profile reduced to what affects colour; null when it is not one that an image may embed. */
export interface CleanedProfile {
  readonly profile: Buffer | null
  readonly removed: boolean
}

const HEADER_BYTES = 128
const TAG_BYTES = 12
/** As many as lcms reads. */
const MAX_TAGS = 100

/** Input, display, output and colour space profiles. Other classes (links, abstract, named colours) do not describe the
 *  colours of an image. */
const classes = new Set(['scnr', 'mntr', 'prtr', 'spac'])
/** Colours are related to one of these. */
const connections = new Set(['XYZ ', 'Lab '])
const PERCEPTUAL = 0
const MAX_INTENT = 3

/** Rebuilds an ICC profile (ICC.1:2022) from the numbers that affect colour and the two required texts, name and
 *  copyright. These stay when they are well known and are otherwise replaced by neutral ones, because the profile of a
 *  calibrated display may contain its owner's name. Nothing else is copied: the header is written from the few fields that
 *  decoders use, and each tag by its type, in a fixed order without gaps. Data that tags share stays shared. Like lcms, skips
 *  tags outside of the profile. */
export function cleanProfile(profile: Buffer): CleanedProfile {
  const source = readProfile(profile)
  const rebuilt = source && build(source)
  // Overlapping tags are written separately, which may exceed the cap.
  if (!rebuilt) return { profile: null, removed: true }
  return rebuilt.equals(profile) ? { profile, removed: false } : { profile: rebuilt, removed: true }
}

interface Tag {
  readonly signature: string
  /** Where the data was; tags with the same key share it. */
  readonly key: string
  readonly data: Buffer
}

interface Profile {
  readonly header: Buffer
  readonly tags: readonly Tag[]
}

function readProfile(bytes: Buffer): Profile | null {
  if (bytes.length < HEADER_BYTES + 4 || bytes.length > MAX_PROFILE) return null
  const header = cleanHeader(bytes)
  const entries = readEntries(bytes)
  if (!header || !entries) return null
  const space = readText(bytes, 16)
  const isNew = header[8] === 4
  const texts = [
    { signature: 'desc', key: 'desc', data: profileName(entries.get('desc')?.data, isNew) },
    { signature: 'cprt', key: 'cprt', data: copyrightNotice(entries.get('cprt')?.data, isNew) },
  ]
  const colours = [...entries].flatMap(([signature, { offset, data }]): Tag[] => {
    const cleaned = isColourTag(signature, space) ? cleanElement(signature, space, data) : null
    return cleaned ? [{ signature, key: `${offset}+${cleaned.length}`, data: cleaned }] : []
  })
  colours.sort((one, other) => (one.signature < other.signature ? -1 : 1))
  return { header, tags: [...texts, ...colours] }
}

/** Returns the header with its version, class, colour spaces and rendering intent; null unless an image may embed it. The
 *  other fields are fixed or zero: sizes are written later, and zeros for the ID mean that there is none. */
function cleanHeader(bytes: Buffer): Buffer | null {
  const [version = 0, revision = 0] = bytes.subarray(8)
  const [deviceClass, space, connection] = [readText(bytes, 12), readText(bytes, 16), readText(bytes, 20)]
  if (readText(bytes, 36) !== 'acsp' || (version !== 2 && version !== 4)) return null
  if (!classes.has(deviceClass) || !colourChannels.has(space) || !connections.has(connection)) return null
  const intent = bytes.readUInt32BE(64)
  const header = Buffer.alloc(HEADER_BYTES)
  header.set([version, Math.min(revision & 0xf0, 0x40)], 8)
  header.write(deviceClass + space + connection, 12, 'latin1')
  // The year 2000, and D50 as the illuminant.
  header.write('07d000010001000000000000', 24, 'hex')
  header.write('acsp', 36, 'latin1')
  header.writeUInt32BE(intent > MAX_INTENT ? PERCEPTUAL : intent, 64)
  header.write('0000f6d6000100000000d32d', 68, 'hex')
  return header
}

interface Entry {
  readonly offset: number
  readonly data: Buffer
}

/** Returns the tags within the profile by their signatures; null when the table is damaged or has one twice. */
function readEntries(bytes: Buffer): ReadonlyMap<string, Entry> | null {
  const end = Math.min(bytes.readUInt32BE(0), bytes.length)
  const count = bytes.readUInt32BE(HEADER_BYTES)
  if (count > MAX_TAGS || HEADER_BYTES + 4 + count * TAG_BYTES > end) return null
  const entries = new Map<string, Entry>()
  for (let at = HEADER_BYTES + 4; at < HEADER_BYTES + 4 + count * TAG_BYTES; at += TAG_BYTES) {
    const [signature, offset, length] = [readText(bytes, at), bytes.readUInt32BE(at + 4), bytes.readUInt32BE(at + 8)]
    if (length < 8 || offset < HEADER_BYTES || offset + length > end) continue
    if (entries.has(signature)) return null
    entries.set(signature, { offset, data: bytes.subarray(offset, offset + length) })
  }
  return entries
}

function build({ header, tags }: Profile): Buffer | null {
  const start = HEADER_BYTES + 4 + tags.length * TAG_BYTES
  const table = Buffer.alloc(start - HEADER_BYTES)
  table.writeUInt32BE(tags.length)
  const places = new Map<string, number>()
  const parts: Buffer[] = []
  let end = start
  for (const [index, { signature, key, data }] of tags.entries()) {
    const place = places.get(key) ?? end
    if (place === end) {
      const padding = -data.length & 3
      parts.push(data, Buffer.alloc(padding))
      end += data.length + padding
    }
    places.set(key, place)
    const at = 4 + index * TAG_BYTES
    table.write(signature, at, 'latin1')
    table.writeUInt32BE(place, at + 4)
    table.writeUInt32BE(data.length, at + 8)
  }
  if (end > MAX_PROFILE) return null
  header.writeUInt32BE(end, 0)
  return Buffer.concat([header, table, ...parts], end)
}

const readText = (bytes: Buffer, at: number): string => bytes.toString('latin1', at, at + 4)
