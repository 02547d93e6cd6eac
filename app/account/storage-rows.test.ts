import { expect, test } from 'vitest'
import { formatName, storageRows } from './storage-rows.ts'

test('formats come by size, and the trash is one row at the end', () => {
  const kind = (mime: string, trashed: boolean, images: number, bytes: number) => ({ mime, trashed, images, bytes })
  const rows = [kind('image/png', false, 1, 10), kind('image/jpeg', true, 2, 60), kind('image/jpeg', false, 3, 20)]
  expect(storageRows([...rows, kind('image/png', true, 1, 10)])).toEqual([
    { kind: 'image/jpeg', images: 3, bytes: 20, share: 0.2 },
    { kind: 'image/png', images: 1, bytes: 10, share: 0.1 },
    { kind: 'trash', images: 3, bytes: 70, share: 0.7 },
  ])
  expect(storageRows([])).toEqual([])
  expect(['image/jpeg', 'image/webp', 'image/avif'].map(formatName)).toEqual(['JPEG', 'WebP', 'AVIF'])
})
