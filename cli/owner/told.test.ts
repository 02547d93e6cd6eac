import { expect, test } from 'vitest'
import { contentOf } from './told.ts'

test.each([
  [1, '1 account, 1 image, 1 object of 22 MiB'],
  [2, '2 accounts, 2 images, 2 objects of 22 MiB'],
])('what a backup holds is told with its numbers: %d', (rows, content) => {
  const tables = ['User', 'Image'].map((name) => ({ name, columns: [], rows, bytes: 0, sha256: '' }))
  const objects = { count: rows, bytes: 22 * 1024 ** 2 }
  const createdAt = '2026-11-22T02:12:33.000Z'
  const told = contentOf({ format: 1, sluice: '0.1.0', createdAt, migrations: [], tables, objects })
  expect(told).toBe(`of 2026-11-22 02:12 UTC by Sluice 0.1.0: ${content}`)
})
