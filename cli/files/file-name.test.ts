import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { fileName } from './file-name.ts'

test.each([
  ['beach.jpg', 'image/jpeg', 'beach.jpg'],
  ['beach.JPEG', 'image/jpeg', 'beach.JPEG'],
  ['beach.png', 'image/jpeg', 'beach.png.jpg'],
  ['v1.2', 'image/png', 'v1.2.png'],
  ['../../.ssh/config', 'image/png', '_.._.ssh_config.png'],
  ['.bashrc', 'image/gif', 'bashrc.gif'],
  ['a:b?.webp', 'image/webp', 'a_b_.webp'],
  ['CON.png', 'image/png', '_CON.png'],
  ['', 'image/avif', 'image.avif'],
  ['  ', 'image/avif', 'image.avif'],
])('%j of %s is saved as %s', (filename, mime, expected) => {
  expect(fileName({ filename, mime })).toBe(expected)
})

test('a mark goes before the extension, and the name is cut before it', () => {
  expect(fileName({ filename: 'beach.jpg', mime: 'image/jpeg' }, '-12345678')).toBe('beach-12345678.jpg')
  const name = fileName({ filename: `${'ü'.repeat(300)}.jpg`, mime: 'image/jpeg' }, '-12345678')
  expect(name).toBe(`${'ü'.repeat(100)}-12345678.jpg`)
})

test('a mark cannot name a folder', () => {
  expect(fileName({ filename: 'x.zshrc', mime: 'text/x' }, '-///../../../')).toBe('x-____________.zshrc')
})

const marks = ['.', '/', '\\', ' ', '\0', '\n', ':', '\u202e', 'a', 'con', '.png', 'ü', '𝄞', '\ud800']

test('whatever a server sends, the result is one visible file name that every file system allows', () => {
  void fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...marks), maxLength: 150 }),
      fc.constantFrom('image/png', 'text/html', '', 'constructor'),
      fc.string({ unit: fc.constantFrom(...marks), maxLength: 12 }),
      (filename, mime, mark) => {
        const name = fileName({ filename, mime }, `-${mark}`)
        expect(name).toMatch(/^[^./\\\p{Cc}:*?"<>|][^/\\\p{Cc}:*?"<>|]*$/u)
        expect(Buffer.byteLength(name)).toBeLessThan(240)
      },
    ),
  )
})
