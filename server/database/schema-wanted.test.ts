import { randomUUID } from 'node:crypto'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { openEmbeddedDatabase } from '#testing/sluice/embedded-database.ts'
import { migrationNames } from './migrate.ts'
import { checkSchema, OtherSchema } from './schema-wanted.ts'
import { openScratch } from './scratch.ts'

const names = await migrationNames()
const READABLE_FROM = '20261123070000_readable_from'
const before = names.filter((name) => name < READABLE_FROM)

describe('a database of this version', () => {
  it('is used by versions that have the migration it needs, and migrated by newer ones', async () => {
    const { connection, close } = await openEmbeddedDatabase()
    if (connection.kind !== 'embedded') return expect.unreachable()
    const { pglite } = connection
    const { rows } = await pglite.query<{ from: string }>('SELECT "readable_from"() AS "from"')
    const from = rows[0]?.from ?? ''
    const check = (own: readonly string[]) => checkSchema('any', (sql) => pglite.query(sql), own)
    const older = names.filter((name) => name <= from)
    expect(await check(names)).toBe(false)
    expect(await check([...names, '29991231235959_next'])).toBe(true)
    expect(await check(older)).toBe(false)
    await pglite.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('x', '', '29991231235959_next', now())`,
    )
    expect(await check(names)).toBe(false)
    await expect(check(names.filter((name) => name < from))).rejects.toThrow(OtherSchema)
    // From another branch: the database does not have all of its migrations.
    await expect(check([...names, '29990101000000_other'])).rejects.toThrow(
      /^The database belongs to a newer version of Sluice: start/,
    )
    await close()
  })
})

test('a migration closes images whose form a crash left open', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'sluice-scratch-'))
  const last = before.filter((name) => name < '20261123064500_no_form_is_open').at(-1) ?? ''
  await using scratch = await openScratch(join(folder.path, 'scratch'), last)
  const { db } = scratch
  // In SQL, because the client knows columns that the database does not have yet.
  const ownerId = randomUUID()
  await db.$executeRaw`
    INSERT INTO "User" ("id", "username", "usernameKey", "passwordHash") VALUES (${ownerId}::uuid, 'a', 'a', '')`
  await db.$executeRaw`INSERT INTO "StoredObject" ("sha256", "size") VALUES ('a', 1)`
  await db.$executeRaw`
    INSERT INTO "Image" ("id", "slug", "ownerId", "sha256", "mime", "width", "height", "size", "filename", "title", "formOpen")
    VALUES (gen_random_uuid(), 'a', ${ownerId}::uuid, 'a', 'image/png', 1, 1, 1, 'a.png', 'a', true)`
  const readRow = () => db.$queryRaw<object[]>`SELECT to_jsonb("Image") - 'formOpen' AS "row" FROM "Image"`
  const row = await readRow()
  await scratch.migrate()
  // Later migrations add columns.
  expect(await readRow()).toMatchObject(row)
  expect(await db.$queryRaw`SELECT 1 FROM "Image" WHERE "formOpen"`).toEqual([])
})
