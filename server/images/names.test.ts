import { create, parse } from 'content-disposition'
import { describe, expect, test } from 'vitest'
import { cleanText, downloadName, fitted, MAX_NAME, parseFileName, portableName, toTitle } from './names.ts'

test.each([
  ['holiday.jpg', 'holiday.jpg'],
  ['caf%C3%A9%20%F0%9F%8C%8A.png', 'café 🌊.png'],
  ['..%2F..%2Fetc%2Fpasswd', 'passwd'],
  ['..%5C..%5Cwindows%5Cwin.ini', 'win.ini'],
  ['%2Fvar%2Fdata%2F', ''],
  ['..', ''],
  ['%2E%2E%2F%2E', ''],
  ['a%00b.jpg', 'ab.jpg'],
  ['a%0D%0ASet-Cookie%3A%20x%3D1.jpg', 'aSet-Cookie: x=1.jpg'],
  ['gpj%E2%80%AEexe.jpg', 'gpjexe.jpg'],
  ['%E2%81%A6a%E2%81%A9.jpg', 'a.jpg'],
  ['CON', 'CON'],
  ['shell.jpg.php', 'shell.jpg.php'],
  ['%22quoted%22%3B.jpg', '"quoted";.jpg'],
  ['%20%20padded.jpg%20', 'padded.jpg'],
  ['', ''],
  ['%252F.jpg', '%2F.jpg'],
])('the header %j is the file name %j', (header, name) => {
  expect(parseFileName(header)).toBe(name)
})

test.each(['%', '%zz.jpg', '%E9.jpg', '%C3', '%ED%A0%80'])('the invalid encoding %j is not a file name', (header) => {
  expect(parseFileName(header)).toBeNull()
})

test('a name of 4 kB is cut between characters, keeping its extension', () => {
  const name = parseFileName(encodeURIComponent(`${'🌊'.repeat(1_000)}.jpeg`)) ?? ''
  expect([...name]).toHaveLength(MAX_NAME)
  expect(name).toBe(`${'🌊'.repeat(MAX_NAME - 5)}.jpeg`)
})

test.each([
  ['holiday.jpg', 'holiday'],
  ['v1.2 final.png', 'v1.2 final'],
  ['no extension', 'no extension'],
  ['.jpg', '.jpg'],
])('the file %j is titled %j', (filename, title) => {
  expect(toTitle(filename)).toBe(title)
})

test('a title is one line of printable text', () => {
  expect(cleanText('  two\nlines\u202e\u0000 \u2028and \ud800 more ')).toBe('twolines and \ufffd more')
})

describe('download names', () => {
  test.each([
    ['photo.jpg', 'image/jpeg', 'photo.jpg'],
    ['photo.JPEG', 'image/jpeg', 'photo.JPEG'],
    ['photo.png', 'image/jpeg', 'photo.png.jpg'],
    ['shell.jpg.php', 'image/png', 'shell.jpg.php.png'],
    ['CON', 'image/png', '_CON.png'],
    ['nul.png', 'image/png', '_nul.png'],
    ['com¹.png', 'image/png', '_com¹.png'],
    ['CONIN$', 'image/png', '_CONIN$.png'],
    ['aux .png', 'image/png', '_aux .png'],
    ['console.png', 'image/png', 'console.png'],
    ['photo.JFIF', 'image/jpeg', 'photo.JFIF'],
    ['moving.apng', 'image/png', 'moving.apng'],
    ['.png', 'image/png', '.png.png'],
    ['of-later.jxl', 'image/jxl', 'of-later.jxl'],
  ])('%j as %s is saved as %j', (filename, mime, expected) => {
    expect(downloadName(filename, mime)).toBe(expected)
  })

  test.each(['a"b\\c;d=e.png', 'naïve café 🌊.png', "it's (1) 100%.png", '%41.png'])(
    '%j round-trips through the header',
    (name) => {
      const header = create(name, { type: 'attachment' })
      expect(header).toMatch(/^[\x20-\x7e]+$/)
      expect(parse(header).parameters.filename).toBe(name)
    },
  )
})

test.each([
  ['../../etc/passwd', '_.._etc_passwd.png'],
  ['C:\\boot?.png', 'C__boot_.png'],
  ['.hidden. ', 'hidden.png'],
  ['aux', '_aux.png'],
  [' . ', 'image.png'],
  ['\ud800.png', '\ufffd.png'],
])('%j becomes the portable name %j', (filename, name) => {
  expect(portableName(filename, 'image/png')).toBe(name)
})

test('a stem that is too long is cut between characters, without trailing spaces', () => {
  expect([fitted('ab', '.png', 6), fitted('abc', '.png', 6), fitted('a üb', '.png', 7), fitted('ü', '', 1)]).toEqual([
    'ab.png',
    'ab.png',
    'a.png',
    '',
  ])
})
