import { expect, test } from 'vitest'
import { picture } from '#testing/images/pictures.ts'
import { acceptedFiles, checkFile } from './check-file.ts'

const max = 25 * 1024 * 1024
const makeFile = (content: string | Uint8Array<ArrayBuffer>, name = 'file', type = '') =>
  new File([content], name, { type })
const makeBox = (brands: string) => makeFile(`\0\0\0\x1cftyp${brands}`)

test.each(['jpeg', 'png', 'gif', 'webp', 'avif'] as const)('accepts %s whatever its name', async (format) => {
  const bytes = new Uint8Array(await picture({ format, width: 16, height: 16 }))
  expect(await checkFile(makeFile(bytes), max)).toBeNull()
  expect(await checkFile(makeFile(bytes, 'notes.heic', 'text/plain'), max)).toBeNull()
})

test('accepts HEIC by its content, but does not name it to the file picker', async () => {
  for (const brands of ['heic\0\0\0\0mif1heic', 'heix\0\0\0\0mif1', 'mif1\0\0\0\0mif1heic', 'hevc\0\0\0\0heic'])
    expect(await checkFile(makeBox(brands), max)).toBeNull()
  expect(await checkFile(makeBox('msf1\0\0\0\0hevc'), max)).toEqual({ code: 'unsupported' })
  expect(acceptedFiles.filter((type) => /hei/.test(type))).toEqual([])
})

test('accepts AVIF whichever brand comes first', async () => {
  for (const brands of ['avif\0\0\0\0mif1miaf', 'mif1\0\0\0\0avifmiaf', 'avis\0\0\0\0avif'])
    expect(await checkFile(makeBox(brands), max)).toBeNull()
})

test.each([
  ['hello', 'unsupported'],
  ['\0\0\0\x18ftypisom\0\0\0\0isommp42', 'unsupported'],
  ['<svg xmlns="http://www.w3.org/2000/svg"/>', 'svg'],
  ['  <?xml version="1.0"?><svg/>', 'svg'],
  ['', 'empty'],
])('rejects %j as %s', async (content, code) => {
  expect(await checkFile(makeFile(content, 'a.png', 'image/png'), max)).toEqual({ code })
})

test('rejects a file over the limit, with its size', async () => {
  const file = new File([new Uint8Array(2048)], 'a.png')
  expect(await checkFile(file, 1024)).toEqual({ code: 'tooLarge', size: 2048, limit: 1024 })
})

test('rejects a file that can no longer be read', async () => {
  const gone = Object.assign(makeFile('GIF89a'), {
    slice: () => ({ arrayBuffer: () => Promise.reject(new Error('gone')) }),
  })
  expect(await checkFile(gone, max)).toEqual({ code: 'unreadable' })
})
