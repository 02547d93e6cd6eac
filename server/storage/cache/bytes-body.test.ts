import { expect, test } from 'vitest'
import { concatenate } from './bytes-body.ts'

test.each([
  ['one chunk of a larger buffer', [Buffer.alloc(65_536).subarray(10, 110)]],
  ['several chunks', [Buffer.alloc(60), Buffer.alloc(40)]],
])('keeps nothing but the object in memory: %s', (_, chunks) => {
  const bytes = concatenate(chunks, 100)
  expect([bytes.length, bytes.buffer.byteLength]).toEqual([100, 100])
})
