import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Format } from '#server/images/format.ts'
import { exiftool, tagsIn, telltale } from '#testing/images/exiftool.ts'
import { animation, picture } from '#testing/images/pictures.ts'
import { cleanImage } from './clean.ts'

const folder = await mkdtemp(join(tmpdir(), 'sluice-exiftool-'))
const cleanFolder = await mkdtemp(join(tmpdir(), 'sluice-exiftool-clean-'))
afterAll(() => Promise.all([folder, cleanFolder].map((path) => rm(path, { recursive: true }))))

const SECRET = 'Ada-Lovelace-7041'

/** The metadata that exiftool writes, as far as a format can hold it. */
const personal = [
  '-GPSLatitude=59.3293',
  '-GPSLatitudeRef=N',
  '-GPSLongitude=18.0686',
  '-GPSLongitudeRef=E',
  '-IFD0:Orientation#=6',
  `-Artist=${SECRET}`,
  `-Copyright=${SECRET}`,
  `-SerialNumber=${SECRET}`,
  `-LensSerialNumber=${SECRET}`,
  `-UserComment=${SECRET}`,
  '-DateTimeOriginal=2026:01:02 03:04:05',
  `-XMP-dc:Creator=${SECRET}`,
  `-XMP-photoshop:City=${SECRET}`,
  `-IPTC:By-line=${SECRET}`,
  `-IPTC:City=${SECRET}`,
  `-Comment=${SECRET}`,
  `-PNG:Author=${SECRET}`,
]

const files: Record<string, { format: Format; make: () => Promise<Buffer>; groups: string[] }> = {
  jpeg: { format: 'jpeg', make: () => picture(), groups: ['GPS', 'IFD0', 'IFD1', 'ExifIFD', 'IPTC', 'XMP-dc', 'File'] },
  png: { format: 'png', make: () => picture({ format: 'png' }), groups: ['GPS', 'IFD0', 'ExifIFD', 'XMP-dc', 'PNG'] },
  gif: { format: 'gif', make: () => picture({ format: 'gif' }), groups: ['XMP-dc', 'GIF'] },
  'moving.gif': { format: 'gif', make: () => animation('gif'), groups: ['XMP-dc', 'GIF'] },
  webp: { format: 'webp', make: () => picture({ format: 'webp' }), groups: ['GPS', 'IFD0', 'ExifIFD', 'XMP-dc'] },
  'moving.webp': { format: 'webp', make: () => animation('webp'), groups: ['GPS', 'IFD0', 'ExifIFD', 'XMP-dc'] },
  avif: { format: 'avif', make: () => picture({ format: 'avif' }), groups: ['GPS', 'IFD0', 'ExifIFD', 'XMP-dc'] },
}

let before: Map<string, string[]>
let after: Map<string, string[]>

beforeAll(async () => {
  const names = Object.keys(files).map((name) => join(folder, `photo.${name}`))
  const thumbnail = join(cleanFolder, 'thumbnail')
  await writeFile(thumbnail, await picture({ width: 160, height: 120 }))
  for (const [name, { make }] of Object.entries(files)) await writeFile(join(folder, `photo.${name}`), await make())
  await exiftool('-q', '-q', '-m', '-overwrite_original', ...personal, `-ThumbnailImage<=${thumbnail}`, ...names)
  await rm(thumbnail)
  for (const [name, { format }] of Object.entries(files)) {
    const cleaning = await cleanImage(format, await readFile(join(folder, `photo.${name}`)))
    if (cleaning.outcome !== 'clean') throw new Error(`${name}: ${cleaning.outcome}`)
    await writeFile(join(cleanFolder, `photo.${name}`), Buffer.concat(cleaning.parts))
  }
  before = await tagsIn(folder)
  after = await tagsIn(cleanFolder)
})

test.each(Object.keys(files))(
  'exiftool finds nothing personal in a clean photo.%s, and a lot in the original',
  async (name) => {
    const found = before.get(`photo.${name}`) ?? []
    expect([...new Set(found.map((tag) => tag.split(':')[0]))]).toEqual(
      expect.arrayContaining(files[name]?.groups ?? []),
    )
    expect(telltale(found).length).toBeGreaterThan(0)
    const left = after.get(`photo.${name}`) ?? []
    expect(left).toContain('File:FileType')
    expect(telltale(left)).toEqual([])
    const bytes = await readFile(join(cleanFolder, `photo.${name}`))
    expect(bytes.includes(SECRET)).toBe(false)
  },
)

test('keeps only the orientation tag', () => {
  const kept = [...after].filter(([, tags]) => tags.includes('IFD0:Orientation')).map(([name]) => name)
  expect(kept.sort()).toEqual(['photo.jpeg', 'photo.moving.webp', 'photo.png', 'photo.webp'])
})
