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
  images: [{ ...image, description: 'a\nb', tags: ['x'], favourite: true, takenAt: null, camera: 'Kodak' }],
  albums: [
    {
      ...{ id: 'a', title: 'Trip', description: '', visibility: 'link', order: 'newest', coverId: image.id },
      images: [{ id: image.id, rank: 'a0' }],
    },
  ],
  tags: ['x', 'y'],
  views: [{ name: 'v', terms: { sort: 'newest' } }],
  shares: [{ title: 's' }],
}

test('a manifest is read as it was written', () => {
  expect(readManifest(writeManifest(manifest))).toEqual({ ...manifest, unknown: [] })
})

test('a manifest of an older version is read, and of a newer one it is told what is unknown', () => {
  const { format, version, exportedAt, server, username } = manifest
  const old = { format, version, exportedAt, server, username, images: [image] }
  expect(readManifest(JSON.stringify(old))).toEqual({
    ...old,
    ...{ albums: [], tags: [], views: [], shares: [], unknown: [] },
  })
  const newer = {
    ...manifest,
    people: [],
    images: [
      { ...image, place: 'x' },
      { ...image, place: 'y', mood: 1 },
    ],
  }
  expect(readManifest(JSON.stringify(newer)).unknown).toEqual(['people', 'images.place', 'images.mood'])
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
