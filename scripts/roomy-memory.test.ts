import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { roomyMemory } from './roomy-memory.ts'

const GIB = 1024 ** 3

test('temporary files are in memory only where it has room', () => {
  const { bavail, bsize } = statfsSync(tmpdir())
  expect(roomyMemory(tmpdir(), 8 * GIB)).toBe(bavail * bsize < 4 * GIB ? null : tmpdir())
  expect(roomyMemory(tmpdir(), 8 * GIB - 1)).toBe(null)
  expect(roomyMemory('/proc', 8 * GIB)).toBe(null)
  expect(roomyMemory('/nowhere', 8 * GIB)).toBe(null)
})
