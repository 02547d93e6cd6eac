import fc from 'fast-check'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { isTainted, jpegSegment, TAINT, taintedProfile } from '#testing/tainted.ts'
import { MAX_PROFILE } from './caps.ts'
import { cleanProfile } from './icc.ts'
import { profileSegments } from './jpeg/jpeg-applications.ts'

const names = ['srgb', 'p3', 'cmyk'] as const
const profiles = new Map<string, Buffer>()

beforeAll(async () => {
  for (const name of names) {
    const space = name === 'cmyk' ? 'cmyk' : 'srgb'
    const image = sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } }).toColourspace(space)
    const { icc } = await sharp(await image.withIccProfile(name).jpeg().toBuffer()).metadata()
    if (icc) profiles.set(name, icc)
  }
})

function loadProfile(name: string): Buffer {
  const profile = profiles.get(name)
  if (!profile) throw new Error(`no profile ${name}`)
  return profile
}

const listTags = (profile: Buffer) =>
  Array.from({ length: profile.readUInt32BE(128) }, (_, index) =>
    profile.toString('latin1', 132 + index * 12, 136 + index * 12),
  )

test.each(['srgb', 'p3'])('leaves %s unchanged, since there is nothing to remove', (name) => {
  const profile = loadProfile(name)
  const cleaned = cleanProfile(profile)
  expect(cleaned).toEqual({ profile, removed: false })
  expect(cleaned.profile).toBe(profile)
})

test('clears the date on which Little CMS created a profile, whatever its name', () => {
  const made = Buffer.from(loadProfile('srgb'))
  made.write('lcms', 80)
  const { profile, removed } = cleanProfile(made)
  expect(removed).toBe(true)
  made.fill('07d000010001000000000000', 24, 36, 'hex').fill(0, 84, 100)
  expect(profile).toEqual(made)
})

describe.each(names)('a tainted %s', (name) => {
  test('keeps only its colour tags, once each', () => {
    const { profile, removed } = cleanProfile(taintedProfile(loadProfile(name)))
    expect(removed).toBe(true)
    expect(profile && isTainted(profile)).toBe(false)
    expect(profile && listTags(profile)).toEqual(
      listTags(loadProfile(name)).filter((tag) => !['targ', 'DevD', 'CIED'].includes(tag)),
    )
    expect(profile && cleanProfile(profile)).toEqual({ profile, removed: false })
    expect(profile?.readUInt32BE(0)).toBe(profile?.length)
    expect(profile?.subarray(84, 100).every((byte) => byte === 0)).toBe(true)
  })

  test('renders every colour as before', async () => {
    const original = loadProfile(name)
    const { profile } = cleanProfile(taintedProfile(original))
    if (!profile) throw new Error('no profile')
    expect(await render(name, profile)).toEqual(await render(name, original))
  })
})

/** Pixels of every hue, interpreted by that profile. */
async function render(name: string, profile: Buffer): Promise<Buffer> {
  const data = Buffer.from(Array.from({ length: 64 * 64 * 3 }, (_, index) => (index * 7_919 + (index >> 4)) & 255))
  const image = sharp(data, { raw: { width: 64, height: 64, channels: 3 } })
  const jpeg = await image
    .toColourspace(name === 'cmyk' ? 'cmyk' : 'srgb')
    .jpeg({ quality: 95 })
    .toBuffer()
  return sharp(Buffer.concat([jpeg.subarray(0, 2), ...profileSegments(profile), jpeg.subarray(2)]))
    .raw()
    .toBuffer()
}

/** Replaces the name or the copyright; `desc` and `cprt` come first in this profile. */
function renamed(signature: 'desc' | 'cprt', text: string): Buffer {
  const profile = loadProfile('p3')
  const entry = profile.indexOf(signature)
  const data = multiLocalized(text)
  const longer = Buffer.concat([profile, data])
  longer.writeUInt32BE(profile.length, entry + 4)
  longer.writeUInt32BE(data.length, entry + 8)
  longer.writeUInt32BE(longer.length, 0)
  return longer
}

function multiLocalized(text: string): Buffer {
  const head = Buffer.from('6d6c75630000000000000001' + '0000000c656e5553' + '000000000000001c', 'hex')
  head.writeUInt32BE(text.length * 2, 20)
  return Buffer.concat([head, Buffer.from(text, 'utf16le').swap16()])
}

const wide = (text: string) => Buffer.from(text, 'utf16le').swap16()

describe('the texts of a profile', () => {
  test.each(['Display P3', 'Adobe RGB (1998)', 'sRGB IEC61966-2.1'])('keeps the common name %s', (name) => {
    const { profile } = cleanProfile(renamed('desc', name))
    expect(profile?.includes(wide(name))).toBe(true)
    expect(profile?.subarray(24, 36)).toEqual(loadProfile('p3').subarray(24, 36))
  })

  test.each(['Anna’s MacBook', 'sRGB of Anna', 'EIZO CG2700S(12345678)00018030', ''])(
    'replaces the name %s',
    (name) => {
      const { profile } = cleanProfile(renamed('desc', name))
      expect(name !== '' && profile?.includes(wide(name))).toBe(false)
      expect(profile?.includes(wide('Unnamed colour profile'))).toBe(true)
      expect(profile?.subarray(24, 36)).toEqual(Buffer.from('07d000010001000000000000', 'hex'))
      expect(profile?.subarray(48, 56)).toEqual(Buffer.alloc(8))
    },
  )

  test.each(['Copyright Apple Inc., 2022', 'Copyright (c) 1998 Hewlett-Packard Company', 'CC0'])(
    '%s stays',
    (notice) => {
      expect(cleanProfile(renamed('cprt', notice)).profile?.includes(wide(notice))).toBe(true)
    },
  )

  test.each(['Copyright 2026 Anna', 'Copyright Apple Inc., 2022, and Anna'])('replaces the notice %s', (notice) => {
    const { profile } = cleanProfile(renamed('cprt', notice))
    expect(profile?.includes(wide('Anna'))).toBe(false)
    expect(profile && cleanProfile(profile).removed).toBe(false)
  })
})

test.each<readonly [string, (profile: Buffer) => Buffer]>([
  ['empty', () => Buffer.alloc(0)],
  ['shorter than its header', (profile) => profile.subarray(0, 131)],
  ['without its signature', (profile) => edit(profile, 36, 'xxxx')],
  ['a device link', (profile) => edit(profile, 12, 'link')],
  ['too long: a hundred and one tags', (profile) => edit(profile, 128, '\0\0\0\x65')],
  ['shorter than its tag table', (profile) => edit(profile.subarray(0, 200), 128, '\0\0\0\x0a')],
  ['with a duplicate tag', (profile) => edit(profile, 132, 'cprt')],
  ['longer than the cap', (profile) => Buffer.concat([profile, Buffer.alloc(MAX_PROFILE)])],
])('rejects a profile that is %s', (_, spoil) => {
  expect(cleanProfile(spoil(loadProfile('p3')))).toEqual({ profile: null, removed: true })
})

const edit = (profile: Buffer, at: number, text: string): Buffer => {
  const copy = Buffer.from(profile)
  copy.write(text, at, 'latin1')
  return copy
}

test('does not let overlapping tags exceed the cap', () => {
  const colours = ['A2B0', 'A2B1', 'A2B2', 'B2A0', 'B2A1', 'B2A2', 'gamt', 'wtpt', 'rXYZ']
  const profile = Buffer.alloc(1024 * 1024)
  loadProfile('p3').copy(profile, 0, 0, 128)
  profile.writeUInt32BE(profile.length, 0)
  profile.writeUInt32BE(colours.length, 128)
  for (const [index, signature] of colours.entries()) {
    const at = 132 + index * 12
    profile.write(signature, at)
    profile.writeUInt32BE(1_000 + index * 12, at + 4)
    profile.writeUInt32BE(profile.length - 2_000, at + 8)
    profile.write('mft2', 1_000 + index * 12)
  }
  expect(cleanProfile(profile)).toEqual({ profile: null, removed: true })
})

test('drops a colour tag that contains text', () => {
  const profile = edit(loadProfile('p3'), loadProfile('p3').readUInt32BE(136 + 2 * 12), `text\0\0\0\0${TAINT}`)
  const { profile: cleaned } = cleanProfile(profile)
  expect(cleaned && listTags(cleaned)).not.toContain('wtpt')
  expect(cleaned && isTainted(cleaned)).toBe(false)
})

test('never throws, and returns its own output unchanged', () => {
  const profile = taintedProfile(loadProfile('p3'))
  const changes = fc.array(fc.tuple(fc.nat(profile.length - 1), fc.nat(255)), { maxLength: 8 })
  fc.assert(
    fc.property(changes, fc.nat(profile.length), (list, length) => {
      const copy = Buffer.from(profile)
      for (const [at, byte] of list) copy[at] = byte
      const { profile: cleaned } = cleanProfile(copy.subarray(0, length))
      if (cleaned) expect(cleanProfile(cleaned)).toEqual({ profile: cleaned, removed: false })
    }),
    { numRuns: 2_000 },
  )
})

test('numbers the segments of a long profile', () => {
  const segments = profileSegments(Buffer.alloc(200_000))
  expect(segments.map((segment) => [...segment.subarray(16, 18)])).toEqual([1, 2, 3, 4].map((number) => [number, 4]))
  expect(segments[0]).toEqual(
    jpegSegment(0xe2, Buffer.concat([Buffer.from('ICC_PROFILE\0\x01\x04'), Buffer.alloc(65_519)])),
  )
})
