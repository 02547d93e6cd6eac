import { expect, test } from 'vitest'
import { beyondWords, readableBytes } from './readable-bytes.ts'
import { tooLargeMessage } from './upload-refusals.ts'

const MB = 1024 ** 2

test.each([
  [0, '0 bytes'],
  [1_023, '1,023 bytes'],
  [1_024, '1 kB'],
  [31.2 * MB, '31.2 MB'],
  [150.4 * MB, '150 MB'],
  [5 * 1024 ** 3, '5 GB'],
])('%i are read as %s', (bytes, words) => {
  expect(readableBytes(bytes)).toBe(words)
})

test('what is a little too large is told to the byte', () => {
  expect(beyondWords(31.2 * MB, 25 * MB)).toBe('has 31.2 MB; at most 25 MB are taken')
  expect(beyondWords(25 * MB + 1, 25 * MB)).toBe('has 26,214,401 bytes; at most 26,214,400 are taken')
})

test('a file that is too large is told by its name where it has one, and its size where that is known', () => {
  expect(tooLargeMessage('photo.png', 31.2 * MB, 25 * MB)).toBe('photo.png has 31.2 MB; at most 25 MB are taken.')
  expect(tooLargeMessage('', 31.2 * MB, 25 * MB)).toBe('The file has 31.2 MB; at most 25 MB are taken.')
  expect(tooLargeMessage('photo.png', null, 25 * MB)).toBe('photo.png has more than the 25 MB that are taken.')
})
