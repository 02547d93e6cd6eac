import { MAX_PROFILE } from '../caps.ts'
import type { Removed } from '../cleaning.ts'
import { cleanProfile } from '../icc.ts'
import { joinSubBlocks, splitSubBlocks } from './gif-blocks.ts'

const INTRODUCER = 0x21
const CONTROL = 0xf9
const APPLICATION = 0xff
const COMMENT = 0xfe
const PLAIN_TEXT = 0x01

/** An extension by what it does. `removed` is the kind of data that is lost when it is left out. */
export type Extension =
  | { readonly kind: 'control'; readonly control: GraphicControl }
  | { readonly kind: 'loop'; readonly bytes: Buffer }
  | { readonly kind: 'profile'; readonly data: Buffer }
  | { readonly kind: 'none'; readonly removed: Removed }

/** A graphic control extension: GIF89a, 23. */
export interface GraphicControl {
  readonly disposal: number
  readonly waitsForUser: boolean
  /** In hundredths of a second. */
  readonly delay: number
  /** Index of the transparent colour. */
  readonly transparent: number | null
}

const isLoop = (name: string) => name === 'NETSCAPE2.0' || name === 'ANIMEXTS1.0'

/** Reads the extension that starts at `start` and whose terminator ends at `end`; null when it is damaged. */
export function readExtension(bytes: Buffer, start: number, end: number): Extension | null {
  const label = bytes[start + 1]
  if (label === CONTROL) {
    const control = readControl(bytes.subarray(start + 2, end))
    return control && { kind: 'control', control }
  }
  if (label === COMMENT) return { kind: 'none', removed: 'comment' }
  if (label === PLAIN_TEXT) return { kind: 'none', removed: 'text' }
  return label === APPLICATION ? readApplication(bytes, start, end) : { kind: 'none', removed: 'other' }
}

function readControl(block: Buffer): GraphicControl | null {
  const [size, flags = 0, , , transparent = 0] = block
  if (size !== 4) return null
  return {
    disposal: (flags >> 2) & 7,
    waitsForUser: (flags & 2) !== 0,
    delay: block.readUInt16LE(2),
    transparent: flags & 1 ? transparent : null,
  }
}

/** An application extension: a name of eleven characters, then sub-blocks of data (GIF89a, 26). */
function readApplication(bytes: Buffer, start: number, end: number): Extension {
  const name = bytes[start + 2] === 11 ? bytes.toString('latin1', start + 3, start + 14) : ''
  const at = start + 14
  if (isLoop(name) && bytes[at] === 3 && bytes[at + 1] === 1) {
    const head = Buffer.concat([bytes.subarray(start, at), bytes.subarray(at, at + 4), Buffer.alloc(1)])
    return { kind: 'loop', bytes: head }
  }
  if (name === 'ICCRGBG1012') return { kind: 'profile', data: joinSubBlocks(bytes, at, end) }
  return { kind: 'none', removed: name.startsWith('XMP') ? 'xmp' : 'other' }
}

/** Merges several controls before one image as decoders do: the last one applies, and transparency carries over from
 *  earlier ones. */
export const mergeControls = (before: GraphicControl | null, control: GraphicControl): GraphicControl => ({
  ...control,
  transparent: control.transparent ?? before?.transparent ?? null,
})

export function controlBytes({ disposal, waitsForUser, delay, transparent }: GraphicControl): Buffer {
  const flags = (disposal << 2) | (waitsForUser ? 2 : 0) | (transparent === null ? 0 : 1)
  return Buffer.from([INTRODUCER, CONTROL, 4, flags, delay & 0xff, delay >> 8, transparent ?? 0, 0])
}

const PROFILE_HEAD = Buffer.from('\x21\xff\x0bICCRGBG1012', 'latin1')

/** Returns the extension with a cleaned colour profile; empty when it is not a valid one. */
export function cleanProfileExtension(data: Buffer): { bytes: Buffer; removed: boolean } | 'too-much-metadata' {
  if (data.length > MAX_PROFILE) return 'too-much-metadata'
  const { profile, removed } = cleanProfile(data)
  if (!profile) return { bytes: Buffer.alloc(0), removed }
  return { bytes: Buffer.concat([PROFILE_HEAD, splitSubBlocks(profile)]), removed }
}
