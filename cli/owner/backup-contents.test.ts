import { expect, test } from 'vitest'
import { describeBackup } from './backup-contents.ts'

test.each([
  [1, '1 account, 1 image, 1 object (22 MiB)'],
  [2, '2 accounts, 2 images, 2 objects (22 MiB)'],
])('describes a backup with its counts: %d', (rows, content) => {
  const tables = ['User', 'Image'].map((name) => ({ name, columns: [], rows, bytes: 0, sha256: '' }))
  const objects = { count: rows, bytes: 22 * 1024 ** 2 }
  const createdAt = '2026-11-22T02:12:33.000Z'
  const description = describeBackup({ format: 1, sluice: '0.1.0', createdAt, migrations: [], tables, objects })
  expect(description).toBe(`created 2026-11-22 02:12 UTC by Sluice 0.1.0, ${content}`)
})
