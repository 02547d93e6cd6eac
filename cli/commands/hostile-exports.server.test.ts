import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { mkdir, readFile, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { flatPng } from '#testing/images/pictures.ts'
import { startApp, type TestApp } from '#testing/sluice/sluice-app.ts'
import { commandVisitor, type Visitor } from '#testing/sluice/sluice-command.ts'
import { writeArchive } from '../files/archive.ts'

let served: TestApp
let self: Visitor
const bytes = flatPng(8, 8)
let secret: string
beforeAll(async () => {
  served = await startApp()
  self = await commandVisitor(served)
  secret = join(self.folder, 'secret.png')
  await writeFile(secret, bytes)
})
afterAll(async () => {
  await self[Symbol.asyncDispose]()
  await served[Symbol.asyncDispose]()
})

const manifest = (files: readonly string[]) => {
  const shown = {
    slug: 's',
    filename: 'a.png',
    title: 'a',
    visibility: 'public',
    mime: 'image/png',
    width: 8,
    height: 8,
  }
  const kept = { id: '1', ...shown, createdAt: '', trashedAt: null, sha256: hash('sha256', bytes), size: bytes.length }
  const images = files.map((file) => ({ file, ...kept }))
  return JSON.stringify({ format: 'sluice-export', version: 1, exportedAt: '', server: '', username: '', images })
}

let made = 0
/** Imports what `make` puts into a new folder, or the file that it names. Returns the last line; nothing may be uploaded. */
async function refusal(make: (folder: string) => unknown): Promise<string | undefined> {
  made += 1
  const folder = join(self.folder, `export-${made}`)
  await mkdir(folder)
  const file = await make(folder)
  const { code, stderr } = await self.call(['import', typeof file === 'string' ? file : folder])
  expect([code, await served.app.db.image.count()]).toEqual([1, 0])
  expect(stderr).not.toContain('    at ')
  return stderr.split('\n')[0]
}

const pipe = (path: string) => void execFileSync('mkfifo', [path])
const inFolder = (folder: string) => join(folder, 'manifest.json')

test('a manifest of a gigabyte', async () => {
  const line = await refusal(async (folder) => {
    await writeFile(inFolder(folder), manifest([]))
    await writeFile(join(folder, 'a.png'), bytes)
    await truncate(inFolder(folder), 2 ** 30)
  })
  expect(line).toBe('sluice: manifest.json is too large for a manifest of an export.')
})

test.each([
  ['a link', (path: string) => symlink('/dev/zero', path)],
  ['a pipe', pipe],
  ['a folder', (path: string) => mkdir(path)],
])('a manifest that is %s', async (_, make) => {
  const line = await refusal(async (folder) => {
    await make(inFolder(folder))
    await writeFile(join(folder, 'a.png'), bytes)
  })
  expect(line).toMatch(/^sluice: .* is not an export: it has no manifest\.json\.$/)
})

test.each([
  ['a million wrong images', `{"images":[${'0,'.repeat(1_000_000)}0]}`, /format/],
  [
    'a million wrong images of a right manifest',
    manifest([]).replace('[]', `[${'0,'.repeat(1_000_000)}0]`),
    /images\.0/,
  ],
  ['more values than memory has room for', `[${'[],'.repeat(8_500_000)}0]`, /too large/],
  ['deep lists', manifest([]).replace('[]', `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`), /images\.0/],
])('a manifest with %s', async (_, text, expected) => {
  expect(await refusal((folder) => writeFile(inFolder(folder), text))).toMatch(expected)
})

test.each([
  ['a link', (folder: string) => symlink(secret, join(folder, 'a.png')), 'The file is outside the export.'],
  ['a pipe', (folder: string) => pipe(join(folder, 'a.png')), 'The file cannot be read.'],
  ['a device', (folder: string) => symlink('/dev/zero', join(folder, 'a.png')), 'The file cannot be read.'],
])('an image that is %s', async (_, make, reason) => {
  const line = await refusal(async (folder) => {
    await writeFile(inFolder(folder), manifest(['a.png']))
    await make(folder)
  })
  expect(line).toBe(`failed a.png: ${reason}`)
})

test('a folder of images that is a link', async () => {
  const line = await refusal(async (folder) => {
    await writeFile(inFolder(folder), manifest(['images/secret.png']))
    await symlink(self.folder, join(folder, 'images'))
  })
  expect(line).toBe('failed images/secret.png: The file is outside the export.')
})

/** Writes a zip with these files; returns its path. */
async function zip(
  folder: string,
  files: readonly (readonly [name: string, content: Buffer | string])[],
): Promise<string> {
  const lastModified = new Date(0)
  const packed = files.map(async ([name, content], at) => {
    const path = join(folder, `${at}`)
    await writeFile(path, content)
    return { name, path, lastModified }
  })
  const path = join(folder, 'all.zip')
  await writeArchive(path, await Promise.all(packed), new AbortController().signal)
  return path
}

test.each(['../a.png', '/a.png', 'x/../../a.png', 'C:a.png'])('a zip with an entry at %s', async (name) => {
  const line = await refusal((folder) =>
    zip(folder, [
      ['manifest.json', manifest(['a.png'])],
      [name, bytes],
    ]),
  )
  expect(line).toMatch(/^sluice: .*all\.zip cannot be read as a \.zip file: .*\.$/)
})

test('a zip with an entry twice, of which one is another file', async () => {
  const other = Buffer.concat([bytes, Buffer.from('x')])
  const line = await refusal((folder) =>
    zip(folder, [
      ['manifest.json', manifest(['a.png'])],
      ['a.png', bytes],
      ['a.png', other],
    ]),
  )
  expect(line).toBe('failed a.png: The file does not match the hash in the export.')
})

test('a zip that is truncated, and one without a file that its manifest names', async () => {
  const files = [['manifest.json', manifest(['a.png'])]] as const
  expect(await refusal((folder) => zip(folder, files))).toBe('failed a.png: a.png is not in the archive.')
  const cut = await refusal(async (folder) => {
    const path = await zip(folder, [...files, ['a.png', bytes]])
    await truncate(path, (await readFile(path)).length - 30)
    return path
  })
  expect(cut).toMatch(/cannot be read as a \.zip file/)
})
