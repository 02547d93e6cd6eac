import { expect, test } from 'vitest'
import { shownKinds } from './cleaned.ts'

test.each<[string[], string[]]>([
  [[], []],
  [['profile-tags'], []],
  [['exif'], ['location', 'camera']],
  [['xmp', 'iptc'], ['editing']],
  [
    ['text', 'exif'],
    ['location', 'camera', 'comments'],
  ],
  [
    ['exif', 'xmp', 'preview', 'trailer', 'other'],
    ['location', 'camera', 'editing', 'previews', 'hidden'],
  ],
])('%j: %j', (removed, expected) => {
  expect(shownKinds(removed)).toEqual(expected)
})
