import { expect, test } from 'vitest'
import { picture } from '#testing/pictures.ts'
import { problemOf } from './check-file.ts'

const max = 25 * 1024 * 1024
const fileOf = (content: string | Uint8Array<ArrayBuffer>, name = 'file', type = '') =>
  new File([content], name, { type })
const boxOf = (brands: string) => fileOf(`\0\0\0\x1cftyp${brands}`)

test.each(['jpeg', 'png', 'gif', 'webp', 'avif'] as const)('%s passes, whatever it is called', async (format) => {
  const bytes = new Uint8Array(await picture({ format, width: 16, height: 16 }))
  expect(await problemOf(fileOf(bytes), max)).toBeNull()
  expect(await problemOf(fileOf(bytes, 'notes.heic', 'text/plain'), max)).toBeNull()
})

test('a HEIC picture is told by its content, and what to do about it', async () => {
  const words =
    'This is a HEIC picture, which browsers cannot show. On the iPhone choose Settings > Camera > Formats > Most Compatible, or send it as a JPEG.'
  for (const brands of ['heic\0\0\0\0mif1heic', 'heix\0\0\0\0mif1', 'mif1\0\0\0\0mif1heic', 'msf1\0\0\0\0hevc'])
    expect(await problemOf(boxOf(brands), max)).toBe(words)
})

test('an AVIF passes under whichever brand comes first', async () => {
  for (const brands of ['avif\0\0\0\0mif1miaf', 'mif1\0\0\0\0avifmiaf', 'avis\0\0\0\0avif'])
    expect(await problemOf(boxOf(brands), max)).toBeNull()
})

test.each([
  ['hello', 'Only JPEG, PNG, GIF, WebP and AVIF images are taken.'],
  ['\0\0\0\x18ftypisom\0\0\0\0isommp42', 'Only JPEG, PNG, GIF, WebP and AVIF images are taken.'],
  ['<svg xmlns="http://www.w3.org/2000/svg"/>', 'SVG is not taken, as it can carry scripts. Export it as a PNG.'],
  ['  <?xml version="1.0"?><svg/>', 'SVG is not taken, as it can carry scripts. Export it as a PNG.'],
  ['', 'The file is empty.'],
])('%j is told so', async (content, expected) => {
  expect(await problemOf(fileOf(content, 'a.png', 'image/png'), max)).toBe(expected)
})

test('more than one image may have is told in figures', async () => {
  const file = new File([new Uint8Array(2048)], 'a.png')
  expect(await problemOf(file, 1024)).toBe('2 KiB is more than the 1 KiB that one image may have. Save it smaller.')
})

test('what is a little more is told to the byte', async () => {
  const file = new File([new Uint8Array(10_241)], 'a.png')
  expect(await problemOf(file, 10_240)).toBe(
    '10,241 B is more than the 10,240 B that one image may have. Save it smaller.',
  )
})

test('a file that is gone is told so', async () => {
  const gone = Object.assign(fileOf('GIF89a'), {
    slice: () => ({ arrayBuffer: () => Promise.reject(new Error('gone')) }),
  })
  expect(await problemOf(gone, max)).toBe('The file could not be read: was it moved or changed? Choose it again.')
})
