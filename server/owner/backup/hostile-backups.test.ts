import { statSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { backUp, type DataPlace, fill, openPlace, readRows, restoreTo } from '#testing/storage/backup-scene.ts'
import { readTar, type TarEntry, withRows, writeTar } from '#testing/storage/rewritten-backup.ts'
import { BACKUP_MANIFEST, BackupFailed } from './format.ts'
import { readBackup } from './read-backup.ts'

let folder: string
let good: Buffer
let target: DataPlace
let emptyRows: Record<string, readonly string[]>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-hostile-'))
  await using source = await openPlace()
  await fill(source, 2)
  await backUp(source, join(folder, 'good.tar'))
  good = await readFile(join(folder, 'good.tar'))
  target = await openPlace()
  emptyRows = await readRows(target.db)
})
afterAll(async () => {
  await target[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

/** Returns the reason for which a backup is not restored. Nothing may have changed by then. */
async function refusal(tar: Buffer): Promise<string> {
  await writeFile(join(folder, 'hostile.tar'), tar)
  const error = await restoreTo(target, join(folder, 'hostile.tar')).then(
    () => new Error('it was restored'),
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(BackupFailed)
  expect(await Array.fromAsync(target.store.list(''))).toEqual([])
  expect(await readRows(target.db)).toEqual(emptyRows)
  expect(await readdir(folder)).toEqual(['good.tar', 'hostile.tar'])
  return error instanceof Error ? error.message : ''
}

const changed = 'It is not a Sluice backup, or it was changed.'

/** Every kind of entry that is not a file. */
const NO_FILES = ['symlink', 'link', 'character-device', 'block-device', 'fifo', 'directory'] as const
const first = (name: string, type: TarEntry['header']['type']): TarEntry => ({
  header: { name, type: type ?? 'file', linkname: '/etc/passwd', size: 0 },
  body: Buffer.alloc(0),
})

test.each<readonly [string, TarEntry]>([
  ...NO_FILES.map((type) => [`a ${type}`, first(BACKUP_MANIFEST, type)] as const),
  ...NO_FILES.map((type) => [`a ${type} with another name`, first('x', type)] as const),
  ['an absolute path', first('/etc/cron.d/x', 'file')],
  ['a path outside', first('../../x', 'file')],
  ['a second manifest', { header: { name: BACKUP_MANIFEST }, body: Buffer.from('{"format":1,"sluice":"1"}') }],
])('%s before the manifest', async (_, entry) => {
  expect(await refusal(await writeTar([entry, ...(await readTar(good))]))).toMatch(/^(It is not|Found .* instead of)/)
})

test.each([
  ['twice', (entries: readonly TarEntry[]) => entries.flatMap((each) => [each, each])],
  ['in another order', (entries: readonly TarEntry[]) => entries.toReversed()],
  ['with one more', (entries: readonly TarEntry[]) => [...entries, first('objects/../../x', 'file')]],
  [
    'with every file as a link',
    (entries: readonly TarEntry[]) => entries.map(({ header }) => first(header.name, 'symlink')),
  ],
])('its entries %s', async (_, change) => {
  expect(await refusal(await writeTar(change(await readTar(good))))).not.toBe('')
})

test.each([-1, Number.NaN, 2 ** 60])('an entry that declares %s bytes', async (size) => {
  const pax = { path: BACKUP_MANIFEST, size: String(size) }
  const [manifest, ...rest] = await readTar(good)
  if (!manifest) return expect.unreachable()
  expect(await refusal(await writeTar([{ ...manifest, header: { name: BACKUP_MANIFEST, pax } }, ...rest]))).not.toBe('')
})

test('a manifest of a gigabyte', async () => {
  const header = (await writeTar([{ header: { name: BACKUP_MANIFEST }, body: Buffer.from('x') }])).subarray(0, 512)
  header.write(`${(2 ** 30).toString(8).padStart(11, '0')} `, 124)
  header.write('        ', 148)
  header.write(
    `${header
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, '0')}\0 `,
    148,
  )
  expect(await refusal(header)).toBe('manifest.json is too large.')
})

test('a manifest of many wrong values', async () => {
  const body = Buffer.from(`{"format":1,"sluice":"1","tables":[${'0,'.repeat(50_000)}0]}`)
  expect(await refusal(await writeTar([{ header: { name: BACKUP_MANIFEST }, body }]))).toBe(changed)
})

const packed = (): Buffer => gzipSync(good)

test.each([
  ['is not compressed', () => good, changed],
  ['is cut short', () => packed().subarray(0, -1_000), changed],
  [
    'has a changed byte',
    () => Buffer.concat([packed().subarray(0, 500), Buffer.alloc(1), packed().subarray(501)]),
    changed,
  ],
  [
    'is a bomb',
    async () => gzipSync(await withRows(good, 'User', () => ['x'.repeat(200_000_000)])),
    'It unpacks to more than 50 times its size.',
  ],
])('a snapshot that %s', async (_, make, reason) => {
  const path = join(folder, 'snapshot.tar.gz')
  const into = await mkdtemp(join(folder, 'into-'))
  try {
    await writeFile(path, await make())
    await expect(readBackup(path, { folder: into, stored: null })).rejects.toThrow(new BackupFailed(reason))
    const sizes = (await readdir(into)).map((name) => statSync(join(into, name)).size)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(80_000_000)
  } finally {
    await rm(into, { recursive: true })
    await rm(path)
  }
})

const asRow = (values: readonly (string | null)[]) => JSON.stringify(values)
const parse = (row: string): (string | null)[] => JSON.parse(row)

test.each([
  ['a row that is no JSON', 'User', () => ['no JSON']],
  ['a row that closes the list', 'Invite', (rows: readonly string[]) => rows.map((row) => `${row},${row}`)],
  ['a row of other values', 'User', () => ['[{"a":1}]']],
  ['a short row', 'User', () => ['[]']],
  ['a row twice', 'User', (rows: readonly string[]) => [...rows, ...rows]],
  ['a row without what it refers to', 'User', () => []],
  [
    'a value of another type',
    'Invite',
    (rows: readonly string[]) => rows.map((row) => asRow(parse(row).map(() => 'x'))),
  ],
  ['a value with a NUL', 'Invite', (rows: readonly string[]) => rows.map((row) => asRow(parse(row).map(() => '\0')))],
  ['a row of 20 MB', 'User', () => [asRow(['x'.repeat(20_000_000)])]],
  [
    'deep JSON',
    'AuditEntry',
    (rows: readonly string[]) =>
      rows.map((row) =>
        asRow(
          parse(row).map((value) =>
            value?.startsWith('{') ? `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}` : value,
          ),
        ),
      ),
  ],
  ['a deep row', 'User', () => [`${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`]],
  [
    'an object at another path',
    'StoredObject',
    (rows: readonly string[]) => rows.map((row) => row.replace(/[0-9a-f]{64}/, '../../../../tmp/x')),
  ],
] as const)('%s', async (_, table, change) => {
  expect(await refusal(await withRows(good, table, change))).not.toBe('')
})
