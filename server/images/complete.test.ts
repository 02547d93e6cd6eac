import { expect, test } from 'vitest'
import { animation, picture, pngOf } from '#testing/pictures.ts'
import { isComplete } from './complete.ts'

test.each(['png', 'gif'] as const)('a whole %s is complete, and no beginning of it is', async (format) => {
  const bytes = await picture({ format, width: 20, height: 20 })
  expect(isComplete(format, bytes)).toBe(true)
  const complete = Array.from({ length: bytes.length }, (_, length) => isComplete(format, bytes.subarray(0, length)))
  expect(complete.every((whole) => !whole)).toBe(true)
})

test('an animation is complete with its last frame', async () => {
  const bytes = await animation('gif', { frames: 3, width: 20, height: 20 })
  expect(isComplete('gif', bytes)).toBe(true)
  expect(isComplete('gif', bytes.subarray(0, -1))).toBe(false)
})

test('a wrong checksum in any chunk of a PNG is found', async () => {
  const bytes = pngOf([
    ['IHDR', Buffer.alloc(13)],
    ['tEXt', Buffer.from('Comment\0text')],
    ['IEND', Buffer.alloc(0)],
  ])
  expect(isComplete('png', bytes)).toBe(true)
  for (let at = 8; at < bytes.length; at += 1) {
    const damaged = Buffer.from(bytes)
    damaged[at] = (damaged[at] ?? 0) ^ 0x01
    expect(isComplete('png', damaged)).toBe(false)
  }
})

test('a length that points beyond the file ends the walk', () => {
  const bytes = pngOf([['IHDR', Buffer.alloc(13)]])
  bytes.writeUInt32BE(0xffffffff, 8)
  expect(isComplete('png', bytes)).toBe(false)
})
