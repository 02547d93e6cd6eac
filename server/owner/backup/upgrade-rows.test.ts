import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrationNames } from '#server/database/migrate.ts'
import { openEmbeddedDatabase } from '#testing/embedded-database.ts'
import { BackupFailed } from './format.ts'
import { takeSnapshot } from './snapshot.ts'
import { upgradeRows } from './upgrade-rows.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-upgrade-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** The last migration before access rules, API tokens and pauses, and the tables and columns added since. */
const LAST = '20261121231111_jobs_in_a_queue'
const LATER = [
  ...['AccessRule', 'HotlinkRule', 'ApiToken', 'DeletionLink', 'variantsDue', 'StoredDay', 'formOpen'],
  ...['cleaning', 'refusal', 'replacedAt', 'OneTimeLink', 'Device', 'SiteSettings', 'SiteImage', 'UserPicture'],
  ...['banReason', 'displayName', 'lastSeenAt', 'locale', 'pictureHash'],
  ...['address', 'userAgent', 'accountId', 'accountName', 'tokenId', 'tokenName', 'times', 'until'].map(
    (column) => `AuditEntry.${column}`,
  ),
]

test('migrates rows of an older version', { timeout: 120_000 }, async () => {
  const rows = join(folder, 'rows')
  await mkdir(rows)
  const { db, close } = await openEmbeddedDatabase()
  await db.user.create({ data: { username: 'Ann', usernameKey: 'ann', passwordHash: '' } })
  const snapshot = await takeSnapshot(db, rows)
  await close()
  const isOld = (name: string) => !LATER.includes(name)
  const tables = snapshot.tables
    .filter(({ name }) => isOld(name))
    .map(({ name, columns, ...table }) => ({
      ...{ ...table, name },
      columns: columns.filter((column) => isOld(column) && isOld(`${name}.${column}`)),
    }))

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

test('refuses rows of a newer or unknown version', async () => {
  const own = await migrationNames()
  const objects = { count: 0, bytes: 0 }
  for (const migrations of [[...own, '29990101000000_flying'], own.slice(1)]) {
    const manifest = { format: 1, sluice: '9', createdAt: '', tables: [], objects, migrations } as const
    await expect(upgradeRows({ ...manifest, tables: [] }, folder)).rejects.toThrow(BackupFailed)
  }
})
