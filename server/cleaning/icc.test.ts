import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { isTainted, jpegSegment, TAINT, taintedProfile } from '#testing/images/tainted.ts'
import { byteTable, hiddenProfile, profileTags, stagedTable, writeProfile } from '#testing/images/tainted-profile.ts'
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

/** Profiles with each kind of element: matrix and curves, tables of words, of bytes, and with stages. */
function listProfiles(gap: Buffer = Buffer.alloc(0)): [string, Buffer][] {
  const p3 = loadProfile('p3')
  const connected = Buffer.from(p3).fill('Lab ', 20, 24)
  const withTable = (data: Buffer) => [...profileTags(p3).slice(0, 4), { signature: 'A2B0', data }]
  const [inks, table] = [loadProfile('cmyk'), byteTable(4)]
  return [
    ...names.map((name): [string, Buffer] => [name, loadProfile(name)]),
    ['bytes', writeProfile(connected, withTable(byteTable(3)))],
    [
      'inks',
      writeProfile(
        inks,
        profileTags(inks).map((tag) => (tag.signature.startsWith('A2B') ? { ...tag, data: table } : tag)),
      ),
    ],
    ['stages', writeProfile(connected, withTable(stagedTable(gap)))],
  ]
}

describe.each(['srgb', 'p3', 'cmyk', 'bytes', 'inks', 'stages'])('a tainted %s', (name) => {
  const load = (gap?: Buffer) => new Map(listProfiles(gap)).get(name) ?? Buffer.alloc(0)
  const tainted = () => hiddenProfile(taintedProfile(load(Buffer.from(TAINT))))

  test('keeps only its colours, once each, and stays as it is then', () => {
    const { profile, removed } = cleanProfile(tainted())
    expect(removed).toBe(true)
    expect(profile && isTainted(profile)).toBe(false)
    expect(
      profile &&
        profileTags(profile)
          .map(({ signature }) => signature)
          .sort(),
    ).toEqual(
      profileTags(load())
        .map(({ signature }) => signature)
        .filter((tag) => !['targ', 'DevD', 'CIED', 'clrt', 'gamt', 'bkpt'].includes(tag))
        .sort(),
    )
    expect(profile && cleanProfile(profile)).toEqual({ profile, removed: false })
    expect(profile).toEqual(cleanProfile(load()).profile)
  })

  test('renders every colour as before', async () => {
    const { profile } = cleanProfile(tainted())
    if (!profile) throw new Error('no profile')
    const space = name === 'cmyk' || name === 'inks' ? 'cmyk' : 'srgb'
    expect(await render(space, profile)).toEqual(await render(space, load()))
    // The decoder takes these two for granted where there is none.
    const isUsual = name === 'srgb' || name === 'cmyk'
    expect((await render(space, profile)).equals(await render(space, null))).toBe(isUsual)
  })
})

test('renders every colour into a profile as before', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-icc-'))
  const original = loadProfile('cmyk')
  const { profile } = cleanProfile(original)
  const pixels = await Promise.all(
    [original, profile ?? Buffer.alloc(0)].map(async (icc, index) => {
      const path = join(folder, `${index}.icc`)
      await writeFile(path, icc)
      return sharp(colourCube(), { raw }).withIccProfile(path).toColourspace('cmyk').tiff().toBuffer()
    }),
  )
  await rm(folder, { recursive: true })
  const [before, after] = await Promise.all(
    pixels.map((tiff) => sharp(tiff).pipelineColourspace('cmyk').raw().toBuffer()),
  )
  expect(after?.equals(before ?? Buffer.alloc(0))).toBe(true)
})

test('writes the header from the fields that decoders use, whatever the others say', () => {
  const source = loadProfile('p3')
  const { profile } = cleanProfile(hiddenProfile(source))
  const expected = Buffer.alloc(128)
  source.copy(expected, 8, 8, 10)
  expected.write('mntrRGB XYZ ', 12)
  expected.write('07d000010001000000000000', 24, 'hex')
  expected.write('acsp', 36)
  expected.write('0000f6d6000100000000d32d', 68, 'hex')
  expected.writeUInt32BE(profile?.length ?? 0)
  expect(profile?.subarray(0, 128)).toEqual(expected)
})

const SIDE = 17
const raw = { width: SIDE ** 2, height: SIDE, channels: 3 } as const

/** Colours at equal distances, each channel with 17 values. */
function colourCube(): Buffer {
  const channel = (index: number) => Math.round(((index % SIDE) * 255) / (SIDE - 1))
  const colours = Array.from({ length: SIDE ** 3 }, (_, index) =>
    [index, index / SIDE, index / SIDE ** 2].map(Math.floor),
  )
  return Buffer.from(colours.flatMap((indices) => indices.map(channel)))
}

/** All of them, interpreted by that profile. */
async function render(space: 'cmyk' | 'srgb', profile: Buffer | null): Promise<Buffer> {
  const jpeg = await sharp(colourCube(), { raw }).toColourspace(space).jpeg({ quality: 100 }).toBuffer()
  const segments = profile ? profileSegments(profile) : []
  return sharp(Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)]))
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
  })

  test.each(['Anna’s MacBook', 'sRGB of Anna', 'EIZO CG2700S(12345678)00018030', ''])(
    'replaces the name %s',
    (name) => {
      const { profile } = cleanProfile(renamed('desc', name))
      expect(name !== '' && profile?.includes(wide(name))).toBe(false)
      expect(profile?.includes(wide('Unnamed colour profile'))).toBe(true)
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
  const curves = ['rTRC', 'gTRC', 'bTRC']
  const profile = Buffer.alloc(2 * 1024 * 1024)
  loadProfile('p3').copy(profile, 0, 0, 128)
  profile.writeUInt32BE(profile.length, 0)
  profile.writeUInt32BE(curves.length, 128)
  for (const [index, signature] of curves.entries()) {
    const [at, offset] = [132 + index * 12, 1_000 + index * 12]
    profile.write(signature, at)
    profile.writeUInt32BE(offset, at + 4)
    profile.writeUInt32BE(profile.length - offset, at + 8)
    profile.write('curv', offset)
    profile.writeUInt32BE((profile.length - 2_000) / 2, offset + 8)
  }
  expect(cleanProfile(profile)).toEqual({ profile: null, removed: true })
})

test('drops a colour tag that contains text', () => {
  const profile = edit(loadProfile('p3'), loadProfile('p3').readUInt32BE(136 + 2 * 12), `text\0\0\0\0${TAINT}`)
  const { profile: cleaned } = cleanProfile(profile)
  expect(cleaned && profileTags(cleaned).map(({ signature }) => signature)).not.toContain('wtpt')
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
