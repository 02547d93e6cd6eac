import sharp, { type ExifDir } from 'sharp'
import { expect, test } from 'vitest'
import { heicItem, makeHeic } from '#testing/images/heic-files.ts'
import { readHeic } from './avif/heic.ts'
import { joined } from './avif/iso-boxes.ts'
import { cleanImage } from './clean.ts'
import { readPhotoDetails } from './photo-details.ts'

const NOW = new Date('2026-11-23T12:00:00Z')

/** Returns the EXIF block with these tags. */
async function block(first: ExifDir, exif: ExifDir = {}): Promise<Buffer> {
  const image = sharp({ create: { width: 8, height: 8, channels: 3, background: '#fff' } })
  const bytes = await image.withExif({ IFD0: first, IFD2: exif }).jpeg().toBuffer()
  return (await sharp(bytes).metadata()).exif ?? Buffer.alloc(0)
}

const read = async (first: ExifDir, exif?: ExifDir) => readPhotoDetails(await block(first, exif), NOW)

test.each([
  ['Apple', 'iPhone 15 Pro', 'Apple iPhone 15 Pro'],
  ['Canon', 'Canon EOS R6', 'Canon EOS R6'],
  ['NIKON CORPORATION', 'NIKON D90', 'NIKON D90'],
  [' ', 'X100', 'X100'],
  ['Apple', ' ', null],
  ['Leica\u0007', 'M  11', 'Leica M 11'],
  [' ', 'x'.repeat(500), 'x'.repeat(100)],
])('the camera of %j and %j', async (Make, Model, camera) => {
  expect(await read({ Make, Model })).toEqual({ takenAt: null, camera })
})

test.each([
  ['2024:02:29 23:59:59', '2024-02-29T23:59:59.000Z'],
  ['1826:06:01 00:00:00', '1826-06-01T00:00:00.000Z'],
  ['2026:11:24 11:00:00', '2026-11-24T11:00:00.000Z'],
  ['2026:11:25 00:00:00', null],
  ['0000:00:00 00:00:00', null],
  ['9999:01:01 00:00:00', null],
  ['2024:13:01 00:00:00', null],
  ['2023:02:29 00:00:00', null],
  ['2024:01:01 24:00:00', null],
  ['2024:01:01 12:60:00', null],
  ['2024-01-01T00:00:00', null],
  ['    :  :     :  :  ', null],
  ['yesterday', null],
])('%j was taken at %j', async (DateTimeOriginal, takenAt) => {
  expect(await read({}, { DateTimeOriginal })).toEqual({ takenAt, camera: null })
})

test('the time zone is left out: it is the clock of the camera that counts', async () => {
  const tags = { DateTimeOriginal: '2024:05:01 18:00:00', OffsetTimeOriginal: '+09:00' }
  expect((await read({}, tags)).takenAt).toBe('2024-05-01T18:00:00.000Z')
})

test('without the date taken, that of digitizing counts, and that of a change does not', async () => {
  expect((await read({}, { DateTimeDigitized: '2001:01:01 00:00:00' })).takenAt).toBe('2001-01-01T00:00:00.000Z')
  expect((await read({ DateTime: '2001:01:01 00:00:00' })).takenAt).toBeNull()
})

test('any damage in the block is nothing', async () => {
  const whole = await block({ Make: 'Canon', Model: 'EOS' }, { DateTimeOriginal: '2024:05:01 18:00:00' })
  for (let length = 0; length < whole.length; length += 1) {
    const { camera } = readPhotoDetails(whole.subarray(0, length), NOW)
    expect([null, 'Canon', 'EOS', 'Canon EOS']).toContain(camera)
  }
  const loop = Buffer.from('49492a0008000000ffff6987040001000000080000000000', 'hex')
  expect(readPhotoDetails(loop, NOW)).toEqual({ takenAt: null, camera: null })
  expect(readPhotoDetails(undefined, NOW)).toEqual({ takenAt: null, camera: null })
})

test.each(['jpeg', 'png', 'webp', 'avif'] as const)('the block of a %s is found', async (format) => {
  const image = sharp({ create: { width: 16, height: 16, channels: 3, background: '#fff' } })
  const bytes = await image
    .withExif({ IFD0: { Make: 'Canon', Model: 'EOS' } })
    .toFormat(format)
    .toBuffer()
  const cleaning = await cleanImage(format, bytes)
  expect(cleaning.outcome === 'clean' && readPhotoDetails(cleaning.exif, NOW).camera).toBe('Canon EOS')
})

test.each([
  [4, 'Canon EOS'],
  [4_000, null],
])('the block of a HEIC is found, behind a header of %d bytes', async (header, camera) => {
  const exif = await block({ Make: 'Canon', Model: 'EOS' })
  const data = joined([[4, header === 4 ? 6 : header], exif])
  const item = heicItem()
  const read = readHeic(makeHeic([item, { id: 90, type: 'Exif', data, references: [['cdsc', item.id]] }]))
  expect(read.outcome === 'read' && readPhotoDetails(read.exif, NOW).camera).toBe(camera)
})
