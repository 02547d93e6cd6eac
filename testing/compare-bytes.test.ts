import { expect, test } from 'vitest'

test('bytes are compared by content, wherever they are, and with their type', () => {
  const bytes = Buffer.alloc(1_000_000, 'abc')
  const other = Buffer.from(bytes)
  expect({ at: [bytes] }).toEqual({ at: [other] })
  other[999_999] = 0
  expect(bytes.equals(other)).toBe(false)
  expect(bytes).not.toEqual(other)
  expect(bytes).not.toEqual(bytes.subarray(1))
  expect(new Uint8Array([1, 2])).toEqual(Uint8Array.of(1, 2))
  expect(new Uint8Array([1, 2])).not.toEqual(Buffer.of(1, 2))
  expect(new Uint8Array([1, 2])).not.toEqual([1, 2])
})
