import fc from 'fast-check'
import { expect, test } from 'vitest'
import { zipNames } from './zip-names.ts'

const png = (filename: string) => ({ filename, mime: 'image/png' })

test.each([
  [
    ['a.png', 'a.png', 'A.PNG'],
    ['a.png', 'a (2).png', 'A (3).PNG'],
  ],
  [['../../etc/passwd'], ['_.._etc_passwd.png']],
  [
    ['C:\\boot.ini', 'con', '...', ''],
    ['C__boot.ini.png', '_con.png', 'image.png', 'image (2).png'],
  ],
  [
    ['Grüße 🌍.png', 'Gru\u0308ße 🌍.png'],
    ['Grüße 🌍.png', 'Gru\u0308ße 🌍 (2).png'],
  ],
  [
    ['_left-out.txt', 'photo.jpg'],
    ['_left-out.txt.png', 'photo.jpg.png'],
  ],
])('%j are saved as %j', (filenames, names) => {
  expect(zipNames(filenames.map(png), ['_left-out.txt'])).toEqual(names)
})

test('gives any images distinct names that are valid on every system', () => {
  const filename = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.constantFrom('a.png', 'A.png', '../x', 'é', 'e\u0301'),
  )
  fc.assert(
    fc.property(fc.array(filename, { maxLength: 30 }), (filenames) => {
      const names = zipNames(filenames.map(png))
      expect(names).toHaveLength(filenames.length)
      expect(new Set(names.map((name) => name.normalize('NFKC').toLowerCase())).size).toBe(names.length)
      for (const name of names) {
        expect(name).toMatch(/^[^<>:"/\\|?*\p{Cc}]+\.png$/iu)
        expect(name).not.toMatch(/^\.|^ /)
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(241)
      }
    }),
  )
})
