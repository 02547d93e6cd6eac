import { expect, test } from 'vitest'
import { type ExportManifest, readManifest, writeManifest } from './manifest.ts'

const image = {
  file: 'images/beach-0123456789ab.jpg',
  id: '01234567-89ab-4def-8123-456789abcdef',
  slug: '0123456789012345678901',
  filename: 'beach.jpg',
  title: 'At the beach',
  visibility: 'private' as const,
  createdAt: '2026-11-22T02:00:00.000Z',
  trashedAt: null,
  sha256: 'a'.repeat(64),
  size: 3,
  mime: 'image/jpeg',
  width: 4,
  height: 5,
}
const manifest: ExportManifest = {
  format: 'sluice-export',
  version: 1,
  exportedAt: image.createdAt,
  server: 'https://a.example',
  username: 'sue',
  images: [image],
}

test('a manifest is read as it was written', () => {
  expect(readManifest(writeManifest(manifest))).toEqual(manifest)
})

test.each([
  '../x.jpg',
  '/etc/passwd',
  'images/../../x',
  'images//x',
  'images/./x',
  'images\\x',
  'C:x',
  '',
  'images/x\0.jpg',
])('a file at %j is refused', (file) => {
  expect(() => readManifest(writeManifest({ ...manifest, images: [{ ...image, file }] }))).toThrow(
    'images.0.file: The file is outside the export.',
  )
})

test.each([
  ['', 'Invalid input'],
  ['{}', 'format'],
  [JSON.stringify({ ...manifest, version: 2 }), 'version'],
])('%j is not a manifest', (text, problem) => {
  expect(() => readManifest(text)).toThrow(problem)
})
