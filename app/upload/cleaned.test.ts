import { expect, test } from 'vitest'
import { shownKinds } from './cleaned.ts'

test.each<[string[], string[]]>([
  [[], []],
  [['profile-tags'], []],
  [['exif'], ['exif']],
  [
    ['xmp', 'iptc'],
    ['xmp', 'iptc'],
  ],
  [
    ['text', 'exif'],
    ['exif', 'comments'],
  ],
  [
    ['exif', 'xmp', 'preview', 'trailer', 'other'],
    ['exif', 'xmp', 'previews', 'hidden'],
  ],
])('%j: %j', (removed, expected) => {
  expect(shownKinds(removed)).toEqual(expected)
})
