import { appendFileSync, mkdtempDisposableSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Journal, type StoredFile } from './journal.ts'

const account = { url: 'http://localhost:3000', userId: 'sue' }

const fail = (error: Error): never => {
  throw error
}

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

test('finds a stored file by path and by hash', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'sluice-journal-'))
  const first = await Journal.open(join(folder.path, 'new'), account, fail)
  await first.add(stored('/a', 'x'))
  await first.add(stored('/b', 'y'))
  const journal = await Journal.open(join(folder.path, 'new'), account, fail)
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

test('a truncated journal loses only that line, and other accounts see none of it', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'sluice-journal-'))
  const first = await Journal.open(folder.path, account, fail)
  await first.add(stored('/a', 'x'))
  const path = join(folder.path, readdirSync(folder.path)[0] ?? '')
  const whole = readFileSync(path)
  for (let length = 0; length < whole.length; length += 7) {
    writeFileSync(path, whole.subarray(0, length))
    const cut = await Journal.open(folder.path, account, fail)
    expect(cut.ofBytes('x')).toBeNull()
    await cut.add(stored('/b', 'y'))
    expect((await Journal.open(folder.path, account, fail)).ofBytes('y')?.path).toBe('/b')
  }
  appendFileSync(path, '\n{"path":7}\nnot JSON')
  expect((await Journal.open(folder.path, account, fail)).ofBytes('y')?.path).toBe('/b')
  expect((await Journal.open(folder.path, { ...account, userId: 'bob' }, fail)).ofBytes('y')).toBeNull()
})

test('reads a line of an older version without a file name', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'sluice-journal-'))
  const entry = stored('/a', 'x')
  await (await Journal.open(folder.path, account, fail)).add(entry)
  const path = join(folder.path, readdirSync(folder.path)[0] ?? '')
  writeFileSync(path, readFileSync(path, 'utf8').replace('"filename":"a.png",', ''))
  const image = { ...entry.image, filename: null }
  expect((await Journal.open(folder.path, account, fail)).ofBytes('x')).toEqual({ ...entry, image })
})

test('removes obsolete lines from a long journal, and keeps what others add in the meantime', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'sluice-journal-'))
  const first = await Journal.open(folder.path, account, fail)
  await first.add(stored('/moved', 'x'))
  await first.add(stored('/a', 'x'))
  const path = join(folder.path, readdirSync(folder.path)[0] ?? '')
  const line = `\n${JSON.stringify(stored('/a', 'y'))}`
  appendFileSync(path, line.repeat(997))
  const long = statSync(path).size
  await Journal.open(folder.path, account, fail)
  expect(statSync(path).size).toBe(long)

  appendFileSync(path, line)
  const journal = await Journal.open(folder.path, account, fail)
  await first.add(stored('/b', 'z'))
  for (const each of [journal, await Journal.open(folder.path, account, fail)])
    expect([each.ofBytes('x')?.path, each.ofBytes('y')?.path]).toEqual(['/a', '/a'])
  expect((await Journal.open(folder.path, account, fail)).ofBytes('z')?.path).toBe('/b')
  const left = [stored('/moved', 'x'), stored('/a', 'x'), stored('/a', 'y'), stored('/b', 'z')]
  expect(readFileSync(path, 'utf8')).toBe(left.map((each) => `\n${JSON.stringify(each)}`).join(''))
  expect([statSync(path).mode & 0o777, readdirSync(folder.path).length]).toEqual([0o600, 1])
})

test('reports a journal that cannot be written once, and still knows this run', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'sluice-journal-'))
  writeFileSync(join(folder.path, 'file'), '')
  const told: string[] = []
  const journal = await Journal.open(join(folder.path, 'file', 'state'), account, ({ message }) => told.push(message))
  await journal.add(stored('/a', 'x'))
  await journal.add(stored('/b', 'y'))
  expect([told.length, journal.ofBytes('x')?.path, journal.ofBytes('y')?.path]).toEqual([1, '/a', '/b'])
  expect(told[0]).toMatch(/^ENOTDIR/)
})
