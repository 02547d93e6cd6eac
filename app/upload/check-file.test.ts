import { expect, test } from 'vitest'
import { problemOf } from './check-file.ts'

const max = 25 * 1024 * 1024

test.each([
  [{ type: 'image/png', size: 1 }, null],
  [{ type: '', size: max }, null],
  [{ type: 'text/plain', size: 5 }, 'Not a JPEG, PNG, GIF or WebP image.'],
  [{ type: 'image/svg+xml', size: 5 }, 'Not a JPEG, PNG, GIF or WebP image.'],
  [{ type: 'image/png', size: 0 }, 'The file is empty.'],
  [{ type: 'image/png', size: 30 * 1024 * 1024 }, '30 MB is more than the 25 MB that one image may have.'],
])('%j: %s', (file, expected) => {
  expect(problemOf(file, max)).toBe(expected)
})
