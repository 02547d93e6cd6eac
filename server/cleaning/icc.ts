import { MAX_PROFILE } from './caps.ts'
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

const colourTags = new Set(
  [
    'wtpt bkpt chad lumi cicp chrm view meas tech gamt rig0 rig2 ciis clrt clro',
    'rXYZ gXYZ bXYZ rTRC gTRC bTRC kTRC',
    'A2B0 A2B1 A2B2 A2B3 B2A0 B2A1 B2A2 B2A3 D2B0 D2B1 D2B2 D2B3 B2D0 B2D1 B2D2 B2D3 pre0 pre1 pre2',
  ].flatMap((line) => line.split(' ')),
)

/** Types that hold numbers or the names of inks, but no free text. */
const colourTypes = new Set([
  'XYZ ',
  'chrm',
  'cicp',
  'clro',
  'clrt',
  'curv',
  'mAB ',
  'mBA ',
  'meas',
  'mft1',
  'mft2',
  'mpet',
  'para',
  'sf32',
  'sig ',
  'view',
])

/** Rebuilds an ICC profile (ICC.1:2022) from the tags that affect colour and the two required texts, name and
 *  copyright. These stay when they are well known and are otherwise replaced by neutral ones, because the profile of a
 *  calibrated display may contain its owner's name. Tags keep their order, without gaps, and shared data stays shared.
 *  Like lcms, skips tags outside of the profile. */
export function cleanProfile(profile: Buffer): CleanedProfile {
  const source = readProfile(profile)
  if (!source) return { profile: null, removed: true }
  const rebuilt = build(source)
  // Overlapping tags are written separately, which may exceed the cap.
  if (!rebuilt) return { profile: null, removed: true }
  if (rebuilt.equals(profile)) return { profile, removed: false }
  // The profile ID is an MD5 that no longer matches; zeros mean that there is none.
  rebuilt.fill(0, 84, 100)
  return { profile: rebuilt, removed: true }
}

interface Tag {
  readonly signature: string
  /** Where the data was; tags with the same key share it. */
  readonly key: string
  readonly offset: number
  readonly data: Buffer
}

interface Profile {
  readonly header: Buffer
  readonly tags: readonly Tag[]
}

function readProfile(bytes: Buffer): Profile | null {
  if (bytes.length < HEADER_BYTES + 4 || bytes.length > MAX_PROFILE) return null
  if (text(bytes, 36) !== 'acsp' || !classes.has(text(bytes, 12))) return null
  const end = Math.min(bytes.readUInt32BE(0), bytes.length)
  const count = bytes.readUInt32BE(HEADER_BYTES)
  if (count > MAX_TAGS || HEADER_BYTES + 4 + count * TAG_BYTES > end) return null
  const entries = Array.from({ length: count }, (_, index) => {
    const at = HEADER_BYTES + 4 + index * TAG_BYTES
    return { signature: text(bytes, at), offset: bytes.readUInt32BE(at + 4), length: bytes.readUInt32BE(at + 8) }
  }).filter(({ offset, length }) => length >= 8 && offset >= HEADER_BYTES && offset + length <= end)
  if (new Set(entries.map(({ signature }) => signature)).size < entries.length) return null
  const named = entries.find(({ signature }) => signature === 'desc')
  const name = profileName(named && bytes.subarray(named.offset, named.offset + named.length))
  const tags = entries.flatMap(({ signature, offset, length }): Tag[] => {
    const data = bytes.subarray(offset, offset + length)
    if (signature === 'desc') return [{ signature, key: signature, offset, data: name.data }]
    if (signature === 'cprt') return [{ signature, key: signature, offset, data: copyrightNotice(data) }]
    const kept = colourTags.has(signature) && colourTypes.has(text(data, 0))
    return kept ? [{ signature, key: `${offset}+${length}`, offset, data }] : []
  })
  return { header: cleanHeader(bytes.subarray(0, HEADER_BYTES), name.known), tags }
}

/** Clears the device, its manufacturer and the date if the name is unknown, and always the reserved bytes. The date of
 *  a profile by Little CMS is cleared in any case: it is when the profile was created, which GIMP does while an image
 *  is edited. */
function cleanHeader(original: Buffer, known: boolean): Buffer {
  const header = Buffer.from(original)
  header.fill(0, 100)
  if (!known || text(header, 80) === 'lcms') header.fill('07d000010001000000000000', 24, 36, 'hex')
  if (known) return header
  header.fill(0, 48, 56)
  header.fill(0, 80, 84)
  return header
}

function build({ header, tags }: Profile): Buffer | null {
  const start = HEADER_BYTES + 4 + tags.length * TAG_BYTES
  const table = Buffer.alloc(start - HEADER_BYTES)
  table.writeUInt32BE(tags.length)
  const places = new Map<string, number>()
  const parts: Buffer[] = []
  let end = start
  for (const { key, data } of tags.toSorted((one, other) => one.offset - other.offset)) {
    if (places.has(key)) continue
    places.set(key, end)
    const padding = -data.length & 3
    parts.push(data, Buffer.alloc(padding))
    end += data.length + padding
  }
  if (end > MAX_PROFILE) return null
  for (const [index, { signature, key, data }] of tags.entries()) {
    const at = 4 + index * TAG_BYTES
    table.write(signature, at, 'latin1')
    table.writeUInt32BE(places.get(key) ?? 0, at + 4)
    table.writeUInt32BE(data.length, at + 8)
  }
  header.writeUInt32BE(end, 0)
  return Buffer.concat([header, table, ...parts], end)
}

const text = (bytes: Buffer, at: number): string => bytes.toString('latin1', at, at + 4)
