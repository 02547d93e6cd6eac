import { globSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type PostgresServer, startPostgresServer } from '#testing/postgres-server.ts'
import { openDatabase } from './database.ts'
import { FolderInUse } from './folder-lock.ts'

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
  it('is migrated once by several processes that start together, as Prisma Migrate would', async () => {
    const databaseUrl = await postgres.createDatabase()
    const opened = await Promise.all([1, 2, 3, 4].map(() => openDatabase({ dataDir, databaseUrl })))
    const [first] = opened
    if (!first) return expect.unreachable()
    const rows = await first.db.$queryRaw`SELECT migration_name, finished_at FROM _prisma_migrations`
    expect(migrations.parse(rows).map((row) => row.migration_name)).toEqual(migrationNames)
    expect(first.description).toMatch(/^PostgreSQL at 127\.0\.0\.1:\d+\/\w+$/)
    for (const database of opened) await database.close()
  })

  it('keeps what it has over a restart, embedded or not', async () => {
    for (const databaseUrl of [await postgres.createDatabase(), null]) {
      const first = await openDatabase({ dataDir, databaseUrl })
      await first.db.user.create({ data: { username: 'Ann', usernameKey: 'ann', passwordHash: '' } })
      await first.close()
      const second = await openDatabase({ dataDir, databaseUrl })
      expect(await second.db.user.count()).toBe(1)
      await second.close()
    }
  })

  it('is left alone by a version that is older than what made it, embedded or not', async () => {
    for (const databaseUrl of [await postgres.createDatabase(), null]) {
      const newer = await openDatabase({ dataDir, databaseUrl })
      await newer.db.$executeRaw`
        INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('x', '', '29991231235959_new', now())`
      await newer.close()
      await expect(openDatabase({ dataDir, databaseUrl })).rejects.toThrow(
        /^The database is of a newer version of Sluice/,
      )
    }
    await rm(join(dataDir, 'db'), { recursive: true })
  })

  it('tells a second process on the embedded folder what to do', async () => {
    const first = await openDatabase({ dataDir, databaseUrl: null })
    await expect(openDatabase({ dataDir, databaseUrl: null })).rejects.toThrow(FolderInUse)
    await expect(openDatabase({ dataDir, databaseUrl: null })).rejects.toThrow(
      /^Another Sluice process has .* open\. Stop that one, /,
    )
    await first.close()
  })
})
