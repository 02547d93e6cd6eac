import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrationNames } from '#server/database/migrate.ts'
import { openScratch } from '#server/database/scratch.ts'
import { openEmbeddedDatabase } from '#testing/sluice/embedded-database.ts'
import { readCatalogue } from './catalogue.ts'
import { BackupFailed } from './format.ts'
import { compareTables, loadRows } from './load-rows.ts'
import { takeSnapshot } from './snapshot.ts'
import { upgradeRows } from './upgrade-rows.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-upgrade-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** The last migration before access rules, API tokens and much else. */
const LAST = '20261121231111_jobs_in_a_queue'

/** The columns of each table by then. */
async function readOldTables(): Promise<ReadonlyMap<string, readonly string[]>> {
  await using scratch = await openScratch(join(folder, 'old'), LAST)
  const tables = await scratch.db.$transaction((tx) => readCatalogue(tx))
  return new Map(tables.map(({ name, columns }) => [name, columns.map((column) => column.name)]))
}

test('migrates rows of an older version', async () => {
  const rows = join(folder, 'rows')
  await mkdir(rows)
  const { db, close } = await openEmbeddedDatabase()
  await db.user.create({ data: { username: 'Ann', usernameKey: 'ann', passwordHash: '' } })
  const snapshot = await takeSnapshot(db, rows)
  await close()
  const old = await readOldTables()
  const tables = snapshot.tables.flatMap((table) => {
    const columns = old.get(table.name)
    return columns ? [{ ...table, columns: table.columns.filter((column) => columns.includes(column)) }] : []
  })

  // Columns are added at the end, so that a row of the older version is the beginning of one of today's.
  const users = tables.find(({ name }) => name === 'User')?.columns.length
  const user: unknown[] = JSON.parse(await readFile(join(rows, 'User.jsonl'), 'utf8'))
  await writeFile(join(rows, 'User.jsonl'), `${JSON.stringify(user.slice(0, users))}\n`)
  const migrations = snapshot.migrations.filter((name) => name <= LAST)
  const upgraded = await upgradeRows({ format: 1, sluice: '0.0.1', ...snapshot, migrations, tables }, rows)
  const listNames = (files: typeof tables) => files.map(({ name }) => name).sort()
  expect(listNames(upgraded.tables)).toEqual(listNames(snapshot.tables))
  expect(upgraded.tables.find(({ name }) => name === 'ApiToken')).toMatchObject({ rows: 0 })
  expect(upgraded.tables.find(({ name }) => name === 'User')).toMatchObject({ rows: 1 })
  expect(await readFile(join(upgraded.folder, 'User.jsonl'), 'utf8')).toContain('"Ann", "ann"')
})

test('loads rows of a newer version without what it does not know', async () => {
  const rows = join(folder, 'newer')
  await mkdir(rows)
  const { db, close } = await openEmbeddedDatabase()
  await db.user.create({ data: { username: 'Ann', usernameKey: 'ann', passwordHash: '' } })
  const { tables, migrations, ...snapshot } = await takeSnapshot(db, rows)
  await db.user.deleteMany()
  // The newer version has another table, and a column in the middle of one.
  const user: unknown[] = JSON.parse(await readFile(join(rows, 'User.jsonl'), 'utf8'))
  await writeFile(join(rows, 'User.jsonl'), `${JSON.stringify(user.toSpliced(1, 0, 'wings'))}\n`)
  await writeFile(join(rows, 'Flight.jsonl'), '["1"]\n')
  const flight = { name: 'Flight', columns: ['id'], rows: 1, bytes: 6, sha256: '' }
  const widened = tables.map((table) =>
    table.name === 'User' ? { ...table, columns: table.columns.toSpliced(1, 0, 'wings') } : table,
  )
  const newer = { ...snapshot, migrations: [...migrations, '29990101000000_flying'], tables: [flight, ...widened] }
  const upgraded = await upgradeRows({ format: 1, sluice: '9', ...newer }, rows)
  expect(upgraded).toEqual({ folder: rows, tables: newer.tables, isNewer: true })
  await db.$transaction((tx) => loadRows(tx, upgraded, rows))
  expect(await db.user.findMany({ select: { username: true } })).toEqual([{ username: 'Ann' }])
  expect(compareTables(await db.$transaction(readCatalogue), newer.tables)).toEqual({
    missing: [],
    unknown: ['Flight', 'User.wings'],
  })
  // A version that dropped a column of this one.
  const dropped = widened.map((table) =>
    table.name === 'User' ? { ...table, columns: table.columns.filter((name) => name !== 'role') } : table,
  )
  const load = db.$transaction((tx) => loadRows(tx, { ...upgraded, tables: dropped }, rows))
  await expect(load).rejects.toThrow('Its tables do not match this version: User.role, User.wings.')
  await close()
})

test('refuses rows of another line of versions', async () => {
  const own = await migrationNames()
  const objects = { count: 0, bytes: 0 }
  for (const migrations of [[...own.slice(0, -1), '29990101000000_flying'], own.slice(1)]) {
    const manifest = { format: 1, sluice: '9', createdAt: '', tables: [], objects, migrations } as const
    await expect(upgradeRows({ ...manifest, tables: [] }, folder)).rejects.toThrow(BackupFailed)
  }
})
