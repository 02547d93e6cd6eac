import { expect, test } from 'vitest'
import { byteSize } from './byte-size.ts'
import { parseByteSize } from './limits/rules/byte-size.ts'

test.each([
  ['0B', 0],
  ['1b', 1],
  ['25MB', 26_214_400],
  ['1.5 GB', 1_610_612_736],
  [' 5gb ', 5_368_709_120],
  ['2TB', 2_199_023_255_552],
  ['5', null],
  ['', null],
  ['-1MB', null],
  ['5 GiB', null],
  ['1e3MB', null],
  ['99999999TB', null],
])('%j is %s bytes', (text, bytes) => expect(parseByteSize(text)).toBe(bytes))

test('an invalid setting names its mistake', () => {
  const setting = byteSize({ min: 1_024, max: 2_048 })
  expect(setting.parse('1kB')).toBe(1_024)
  expect(setting.safeParse('much').error?.issues[0]?.message).toBe('must be a size such as 25MB or 5GB')
  expect(setting.safeParse('3kB').error?.issues[0]?.message).toBe('must be from 1024 to 2048 bytes')
})
