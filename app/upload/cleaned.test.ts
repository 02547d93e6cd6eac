import { expect, test } from 'vitest'
import { cleanedOf } from './cleaned.ts'

test.each<[string[], string | null]>([
  [[], null],
  [['profile-tags'], null],
  [['exif'], 'location and camera data'],
  [['xmp', 'iptc'], 'editing data'],
  [['text', 'exif'], 'location, camera data and comments'],
  [
    ['exif', 'xmp', 'preview', 'trailer', 'other'],
    'location, camera data, editing data, embedded previews and hidden data',
  ],
])('%j: %s', (removed, expected) => {
  expect(cleanedOf(removed)).toBe(expected)
})
