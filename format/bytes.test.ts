import { expect, test } from 'vitest'
import { formatBytes, formatBytesApart, formatExactBytes, parseByteSize } from './bytes.ts'

const MiB = 1024 ** 2

test.each([
  ['0B', 0],
  ['1b', 1],
  ['25MB', 26_214_400],
  ['25 MiB', 26_214_400],
  ['1kib', 1_024],
  ['1.5 GB', 1_610_612_736],
  [' 5gb ', 5_368_709_120],
  ['2TB', 2_199_023_255_552],
  ['5', null],
  ['', null],
  ['-1MB', null],
  ['5 iB', null],
  ['1e3MB', null],
  ['99999999TB', null],
])('%j is %s bytes', (text, bytes) => expect(parseByteSize(text)).toBe(bytes))

test.each([
  [0, '0 B'],
  [812, '812 B'],
  [1_023, '1,023 B'],
  [1_024, '1 KiB'],
  [104_881, '102 KiB'],
  [1_048_300, '1 MiB'],
  [1_449_000, '1.4 MiB'],
  [10_460_000, '10 MiB'],
  [26_214_400, '25 MiB'],
  [20 * 1024 ** 3, '20 GiB'],
])('%i bytes read %s', (bytes, text) => expect(formatBytes(bytes, 'en')).toBe(text))

test('Chinese has the symbols of every language', () => {
  expect([formatBytes(812, 'zh-CN'), formatBytes(1_449_000, 'zh-CN')]).toEqual(['812 B', '1.4 MiB'])
})

test('two sizes that would read alike are given to the byte', () => {
  expect(formatBytesApart(31.2 * MiB, 25 * MiB, 'en')).toEqual(['31 MiB', '25 MiB'])
  expect(formatBytesApart(25 * MiB + 1, 25 * MiB, 'en')).toEqual(['26,214,401 B', '26,214,400 B'])
})

test.each([
  [20_971_520, '20 MiB'],
  [1_610_612_736, '1.5 GiB'],
  [1_000, '1,000 B'],
  [0, '0 B'],
  [1_000_000_000, '1,000,000,000 B'],
])('%i bytes are exactly %s', (bytes, text) => expect(formatExactBytes(bytes, 'en')).toBe(text))
