import { expect, test } from 'vitest'
import { byteSize } from './byte-size.ts'

test('an invalid setting names its mistake', () => {
  const setting = byteSize({ min: 1_024, max: 2_048 })
  expect(setting.parse('1kB')).toBe(1_024)
  expect(setting.safeParse('much').error?.issues[0]?.message).toBe('must be a size such as 25MB or 5GB')
  expect(setting.safeParse('3kB').error?.issues[0]?.message).toBe('must be from 1024 to 2048 bytes')
})
