import { appendFileSync, mkdtempDisposableSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Journal, type StoredFile } from './journal.ts'

const account = { url: 'http://localhost:3000', userId: 'sue' }

function stored(path: string, sha256: string): StoredFile {
  const image = {
    id: `id of ${sha256}`,
    slug: 's',
    url: 'u',
    filename: 'a.png',
    sha256: 'clean',
    size: 1,
    mime: 'image/png',
    visibility: 'link' as const,
  }
  return { path, size: 3, mtimeMs: 4.5, sha256, image }
}

test('it knows again what it was told, by the file and by the bytes', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'sluice-journal-'))
  const first = await Journal.open(join(folder.path, 'new'), account)
  await first.add(stored('/a', 'x'))
  await first.add(stored('/b', 'y'))
  const journal = await Journal.open(join(folder.path, 'new'), account)
  expect(journal.ofFile({ path: '/a', size: 3, mtimeMs: 4.5 })).toEqual(stored('/a', 'x'))
  expect([
    journal.ofFile({ path: '/a', size: 4, mtimeMs: 4.5 }),
    journal.ofFile({ path: '/a', size: 3, mtimeMs: 5 }),
  ]).toEqual([null, null])
  expect([journal.ofBytes('y')?.path, journal.ofBytes('z')]).toEqual(['/b', null])
  const [name = ''] = readdirSync(join(folder.path, 'new'))
  expect([name.startsWith('localhost-3000-'), statSync(join(folder.path, 'new', name)).mode & 0o777]).toEqual([
    true,
    0o600,
  ])
})

test('what is cut off anywhere loses that line alone, and another account knows none of it', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'sluice-journal-'))
  const first = await Journal.open(folder.path, account)
  await first.add(stored('/a', 'x'))
  const path = join(folder.path, readdirSync(folder.path)[0] ?? '')
  const whole = readFileSync(path)
  for (let length = 0; length < whole.length; length += 7) {
    writeFileSync(path, whole.subarray(0, length))
    const cut = await Journal.open(folder.path, account)
    expect(cut.ofBytes('x')).toBeNull()
    await cut.add(stored('/b', 'y'))
    expect((await Journal.open(folder.path, account)).ofBytes('y')?.path).toBe('/b')
  }
  appendFileSync(path, '\n{"path":7}\nnot JSON')
  expect((await Journal.open(folder.path, account)).ofBytes('y')?.path).toBe('/b')
  expect((await Journal.open(folder.path, { ...account, userId: 'bob' })).ofBytes('y')).toBeNull()
})

test('a line of before, which says no name, is one', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'sluice-journal-'))
  const entry = stored('/a', 'x')
  await (await Journal.open(folder.path, account)).add(entry)
  const path = join(folder.path, readdirSync(folder.path)[0] ?? '')
  writeFileSync(path, readFileSync(path, 'utf8').replace('"filename":"a.png",', ''))
  const image = { ...entry.image, filename: null }
  expect((await Journal.open(folder.path, account)).ofBytes('x')).toEqual({ ...entry, image })
})
