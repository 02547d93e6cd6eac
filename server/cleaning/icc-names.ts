/** Names so common that they reveal nothing about an individual image. */
const knownNames = new Set([
  ...['sRGB', 'uRGB', 'c2', 'c2ci', 'sP3C', 'sRGB IEC61966-2.1', 'sRGB IEC61966-2-1 black scaled', 'sRGB built-in'],
  ...['sRGB v4 ICC preference perceptual intent beta', 'GIMP built-in sRGB', 'scRGB', 'e-sRGB', 'Linear sRGB'],
  ...[
    'Display P3',
    'Display P3 Primaries',
    'DCI(P3) RGB',
    'DCI-P3 D65',
    'image P3',
    'Apple Wide Color Sharing Profile',
  ],
  ...['Adobe RGB (1998)', 'Apple RGB', 'ColorMatch RGB', 'ProPhoto RGB', 'ROMM RGB', 'ROMM RGB: ISO 22028-2:2013'],
  ...['Wide Gamut RGB', 'WideGamut RGB', 'eciRGB v2', 'eciRGB v4', 'PAL/SECAM', 'SMPTE-C', 'Camera RGB Profile'],
  ...['Generic RGB Profile', 'Generic Gray Profile', 'Generic CMYK Profile', 'Generic Gray Gamma 2.2 Profile'],
  ...['ITU-R BT.709', 'ITU-R BT.2020', 'Rec. 709', 'Rec. 2020', 'Rec. ITU-R BT.2020-1', 'Rec. ITU-R BT.709-5'],
  ...['Rec. ITU-R BT.2100 PQ', 'Rec. ITU-R BT.2100 HLG', 'Rec2020 Gamma 2.4', 'HDTV (Rec. 709)'],
  ...[
    'Dot Gain 10%',
    'Dot Gain 15%',
    'Dot Gain 20%',
    'Dot Gain 25%',
    'Dot Gain 30%',
    'Gray Gamma 1.8',
    'Gray Gamma 2.2',
  ],
  ...['sGray', 'sGry', 'GIMP built-in D65 Grayscale with sRGB TRC', 'Chemical proof'],
  ...['U.S. Web Coated (SWOP) v2', 'U.S. Web Uncoated v2', 'U.S. Sheetfed Coated v2', 'U.S. Sheetfed Uncoated v2'],
  ...[
    'Web Coated SWOP 2006 Grade 3 Paper',
    'Web Coated SWOP 2006 Grade 5 Paper',
    'Coated GRACoL 2006 (ISO 12647-2:2004)',
  ],
  ...['Coated FOGRA27 (ISO 12647-2:2004)', 'Coated FOGRA39 (ISO 12647-2:2004)', 'Uncoated FOGRA29 (ISO 12647-2:2004)'],
  ...[
    'Euroscale Coated v2',
    'Euroscale Uncoated v2',
    'ISO Coated v2 (ECI)',
    'ISO Coated v2 300% (ECI)',
    'PSO Coated v3',
  ],
  ...[
    'PSO Uncoated v3 (FOGRA52)',
    'Japan Color 2001 Coated',
    'Japan Color 2001 Uncoated',
    'Japan Color 2002 Newspaper',
  ],
])

const year = '(?:19|20)[0-9]{2}'
const dates = `${year}(?:-${year})?`
const holders = [
  'Apple(?: Computer)?,? Inc',
  'Adobe Systems,? Inc(?:orporated)?',
  'Adobe',
  'Hewlett-Packard Company',
  'International Color Consortium',
  'Google,? Inc',
  'Google LLC',
  'Microsoft Corporation',
  'Kodak',
  'European Color Initiative',
  'Artifex Software(?: Inc)?',
].join('|')

/** Notices of the vendors of these profiles, and public domain dedications. */
const knownNotice = new RegExp(
  [
    String.raw`^(?:[Cc]opyright )?(?:\([cC]\) |© )?(?:${dates},? )?(?:by )?(?:${holders})\.?,?(?: ${dates})?(?:[.,] [Aa]ll [Rr]ights [Rr]eserved)?\.?$`,
    '^(?:CC0|FB|Public Domain|No copyright, use freely)$',
  ].join('|'),
)

const NEUTRAL_NAME = 'Unnamed colour profile'
const NEUTRAL_NOTICE = 'Unknown'

/** Returns the tag for a profile's name, of the type that version 2 or 4 requires: unchanged when well known, otherwise
 *  a neutral one. */
export function profileName(tag: Buffer | undefined, isNew: boolean): Buffer {
  const name = tag ? readText(tag) : ''
  const kept = knownNames.has(name) ? name : NEUTRAL_NAME
  return isNew ? multiLocalizedTag(kept) : descriptionTag(kept)
}

/** Returns the tag for a profile's copyright notice, handled like its name. */
export function copyrightNotice(tag: Buffer | undefined, isNew: boolean): Buffer {
  const notice = tag ? readText(tag) : ''
  const kept = knownNotice.test(notice) ? notice : NEUTRAL_NOTICE
  return isNew ? multiLocalizedTag(kept) : textTag(kept)
}

const tagType = (tag: Buffer): string => tag.toString('latin1', 0, 4)

/** Returns the text of a textType, a textDescriptionType (its ASCII part) or the first entry of a
 *  multiLocalizedUnicodeType, up to its terminator. */
function readText(tag: Buffer): string {
  if (tagType(tag) === 'text') return untilNull(tag.toString('latin1', 8))
  if (tagType(tag) === 'desc' && tag.length >= 12)
    return untilNull(tag.toString('latin1', 12, 12 + tag.readUInt32BE(8)))
  if (tagType(tag) !== 'mluc' || tag.length < 28) return ''
  const at = tag.readUInt32BE(24)
  const units = tag.subarray(at, at + tag.readUInt32BE(20))
  return untilNull(
    Buffer.from(units.subarray(0, units.length & ~1))
      .swap16()
      .toString('utf16le'),
  )
}

const untilNull = (text: string): string => text.split('\0', 1)[0] ?? ''

function textTag(text: string): Buffer {
  return Buffer.from(`text\0\0\0\0${text}\0`, 'latin1')
}

/** ASCII only: the Unicode text and the 67 bytes of Macintosh text are empty. */
function descriptionTag(text: string): Buffer {
  const tag = Buffer.alloc(12 + text.length + 1 + 8 + 70)
  tag.write('desc', 'latin1')
  tag.writeUInt32BE(text.length + 1, 8)
  tag.write(text, 12, 'latin1')
  return tag
}

function multiLocalizedTag(text: string): Buffer {
  const head = Buffer.from('6d6c75630000000000000001' + '0000000c656e5553' + '000000000000001c', 'hex')
  head.writeUInt32BE(text.length * 2, 20)
  return Buffer.concat([head, Buffer.from(text, 'utf16le').swap16()])
}
