import { globSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { CannotStart } from '#server/cannot-start.ts'
import { type PostgresServer, startPostgresServer } from '#testing/servers/postgres-server.ts'
import { openDatabase } from './database.ts'
import { FolderInUse } from './folder-lock.ts'
import { OtherSchema } from './schema-wanted.ts'

let postgres: PostgresServer
let dataDir: string
beforeAll(async () => {
  postgres = await startPostgresServer()
  dataDir = await mkdtemp(join(tmpdir(), 'sluice-database-'))
})
afterAll(async () => {
  await postgres[Symbol.asyncDispose]()
  await rm(dataDir, { recursive: true, force: true })
})

const migrationNames = globSync('*/', { cwd: join(import.meta.dirname, '../../prisma/migrations') }).sort()
const migrations = z.array(z.object({ migration_name: z.string(), finished_at: z.date() }))

describe('the database', () => {
  it('is migrated once when several processes start together, as by Prisma Migrate', async () => {
    const databaseUrl = await postgres.createDatabase()
    const opened = await Promise.all([1, 2, 3, 4].map(() => openDatabase({ dataDir, databaseUrl })))
    const [first] = opened
    if (!first) return expect.unreachable()
    const rows = await first.db.$queryRaw`SELECT migration_name, finished_at FROM _prisma_migrations`
    expect(migrations.parse(rows).map((row) => row.migration_name)).toEqual(migrationNames)
    expect(first.description).toMatch(/^PostgreSQL at 127\.0\.0\.1:\d+\/\w+$/)
    for (const database of opened) await database.close()
  })

  it('ends statements that nobody waits for any more', async () => {
    const { db, close } = await openDatabase({ dataDir, databaseUrl: await postgres.createDatabase() })
    expect(await db.$queryRaw`SHOW statement_timeout`).toEqual([{ statement_timeout: '16s' }])
    await close()
  })

  it('keeps its data over a restart, embedded or not', async () => {
    for (const databaseUrl of [await postgres.createDatabase(), null]) {
      const first = await openDatabase({ dataDir, databaseUrl })
      await first.db.user.create({ data: { username: 'Ann', usernameKey: 'ann', passwordHash: '' } })
      await first.close()
      const second = await openDatabase({ dataDir, databaseUrl })
      expect(await second.db.user.count()).toBe(1)
      await second.close()
    }
  })

  it.each([
    ['PostgreSQL', () => postgres.createDatabase()],
    ['the embedded one', async () => null],
  ])('of a newer version is used by an older one only if it allows that: %s', async (_, place) => {
    await rm(join(dataDir, 'db'), { recursive: true, force: true })
    const settings = { dataDir, databaseUrl: await place() }
    const newer = await openDatabase(settings)
    await newer.db.user.create({ data: { username: 'Ann', usernameKey: 'ann', passwordHash: '' } })
    await newer.db.$executeRaw`
      INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('x', '', '29991231235959_new', now())`
    await newer.close()
    const older = await openDatabase(settings)
    expect(await older.db.user.count()).toBe(1)
    await older.db.$executeRaw`
      CREATE OR REPLACE FUNCTION "readable_from"() RETURNS TEXT LANGUAGE sql IMMUTABLE AS $$ SELECT '29991231235959_new' $$`
    await older.close()
    await expect(openDatabase(settings)).rejects.toThrow(
      new OtherSchema(
        'The database belongs to a newer version of Sluice, and needs one that has the migration 29991231235959_new: start that version, or restore a backup of this version into an empty database.',
      ),
    )
    await expect(openDatabase(settings, 'same')).rejects.toThrow(
      /^The database belongs to a newer version of Sluice: use the /,
    )
    await rm(join(dataDir, 'db'), { recursive: true, force: true })
  })

  it.each([
    ['a port where nothing listens', '//postgres@127.0.0.1:1/sluice', 'connect ECONNREFUSED 127.0.0.1:1'],
    ['a host that nobody knows', '//postgres@nowhere.invalid/sluice', 'getaddrinfo ENOTFOUND nowhere.invalid'],
  ])('explains that DATABASE_URL names %s', async (_, address, reason) => {
    const { host } = new URL(`postgres:${address}`)
    await expect(openDatabase({ dataDir, databaseUrl: `postgres:${address}` })).rejects.toThrow(
      new CannotStart(
        `DATABASE_URL: no connection to ${host}/sluice: ${reason}. Correct the setting, or start the database.`,
      ),
    )
  })

  it('explains a sslmode that the server does not support, and connects through a socket', async () => {
    const { port, pathname } = new URL(await postgres.createDatabase())
    await expect(
      openDatabase({ dataDir, databaseUrl: `postgres://postgres@127.0.0.1:${port}${pathname}?sslmode=verify-full` }),
    ).rejects.toThrow(
      new CannotStart(
        `DATABASE_URL: no connection to 127.0.0.1:${port}${pathname}: The server does not support SSL connections. Remove sslmode from the URL.`,
      ),
    )
    const socket = encodeURIComponent(postgres.socketFolder)
    const opened = await openDatabase({ dataDir, databaseUrl: `postgres://postgres@${socket}:${port}${pathname}` })
    expect(opened.description).toBe(`PostgreSQL at unix:${postgres.socketFolder}${pathname}`)
    await opened.close()
  })

  it('explains that the database does not exist, or that its user may not create anything in it', async () => {
    const missing = Object.assign(new URL(postgres.url), { pathname: '/missing' })
    await expect(openDatabase({ dataDir, databaseUrl: missing.href })).rejects.toThrow(
      `DATABASE_URL: no connection to ${missing.host}/missing: database "missing" does not exist. Correct the setting`,
    )
    const databaseUrl = new URL(await postgres.createDatabase())
    await runQuery(databaseUrl.href, 'CREATE ROLE guest LOGIN; REVOKE CREATE ON SCHEMA public FROM PUBLIC')
    databaseUrl.username = 'guest'
    await expect(openDatabase({ dataDir, databaseUrl: databaseUrl.href })).rejects.toThrow(
      new CannotStart('DATABASE_URL: permission denied for schema public. Its user must own the database.'),
    )
  })

  it('explains to a second process on the embedded folder what to do', async () => {
    const first = await openDatabase({ dataDir, databaseUrl: null })
    await expect(openDatabase({ dataDir, databaseUrl: null })).rejects.toThrow(FolderInUse)
    await expect(openDatabase({ dataDir, databaseUrl: null })).rejects.toThrow(
      /^Another Sluice process has .* open\. Stop that one, /,
    )
    await first.close()
  })
})

async function runQuery(connectionString: string, sql: string): Promise<void> {
  const client = new Client({ connectionString })
  await client.connect()
  await client.query(sql)
  await client.end()
}
