import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { z } from 'zod'
import type { PrismaClient, Transaction } from '#server/database/database.ts'
import { type DatabaseTable, quoteIdentifier, readCatalogue } from './catalogue.ts'
import type { BackupManifest, TableFile } from './format.ts'

/** Rows per FETCH. */
const PAGE = 500
const READ_TIMEOUT_MS = 6 * 60 * 60_000

/** The rows of one moment, in a file per table. */
export type DatabaseSnapshot = Pick<BackupManifest, 'createdAt' | 'migrations' | 'tables' | 'objects'>

/** Returns the path of a table's file in the folder of a snapshot. */
export const tableFilePath = (folder: string, table: string): string => join(folder, `${table}.jsonl`)

const lines = z.array(z.object({ line: z.string() }))
const about = z.tuple([z.object({ now: z.date(), count: z.bigint(), bytes: z.bigint() })])
const migrations = z.array(z.object({ name: z.string() }))

/**
 * Writes all rows of one moment into files, which keeps the transaction short: the embedded database serves nothing else
 * during it, and a long one would keep PostgreSQL from vacuuming.
 */
export async function takeSnapshot(db: PrismaClient, folder: string): Promise<DatabaseSnapshot> {
  return db.$transaction(
    async (tx) => {
      await tx.$executeRaw`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY`
      // Values are printed in the same way everywhere.
      await tx.$executeRaw`SET LOCAL TimeZone = 'UTC'`
      await tx.$executeRaw`SET LOCAL DateStyle = 'ISO'`
      await tx.$executeRaw`SET LOCAL extra_float_digits = 3`
      const applied = await tx.$queryRaw`
        SELECT "migration_name" AS "name" FROM "_prisma_migrations" WHERE "finished_at" IS NOT NULL ORDER BY 1`
      const [{ now, count, bytes }] = about.parse(
        await tx.$queryRaw`
        SELECT clock_timestamp() AS "now", COALESCE(SUM(1 + jsonb_array_length("variants")), 0)::bigint AS "count",
          COALESCE(SUM("bytes_of_object"("object")), 0)::bigint AS "bytes"
        FROM "StoredObject" AS "object" WHERE "state" = 'live'`,
      )
      const tables: TableFile[] = []
      for (const table of await readCatalogue(tx))
        tables.push(await writeTable(tx, table, tableFilePath(folder, table.name)))
      return {
        createdAt: now.toISOString(),
        migrations: migrations.parse(applied).map(({ name }) => name),
        tables,
        objects: { count: Number(count), bytes: Number(bytes) },
      }
    },
    { timeout: READ_TIMEOUT_MS, maxWait: 60_000 },
  )
}

async function writeTable(tx: Transaction, { name, columns }: DatabaseTable, path: string): Promise<TableFile> {
  const values = columns.map((column) => `${quoteIdentifier(column.name)}::text`)
  await tx.$executeRawUnsafe(
    `DECLARE "backup" NO SCROLL CURSOR FOR SELECT json_build_array(${values})::text AS "line" FROM ${quoteIdentifier(name)} ${rowFilter(name)}`,
  )
  const hash = createHash('sha256')
  const file = createWriteStream(path, { mode: 0o600 })
  const ended = finished(file)
  let [rows, bytes] = [0, 0]
  for (;;) {
    const page = lines.parse(await tx.$queryRawUnsafe(`FETCH ${PAGE} FROM "backup"`))
    const chunk = Buffer.from(page.map(({ line }) => `${line}\n`).join(''))
    hash.update(chunk)
    rows += page.length
    bytes += chunk.length
    if (!file.write(chunk)) await Promise.race([once(file, 'drain'), ended])
    if (page.length < PAGE) break
  }
  file.end()
  await ended
  await tx.$executeRawUnsafe('CLOSE "backup"')
  return { name, columns: columns.map((column) => column.name), rows, bytes, sha256: hash.digest('hex') }
}

/** Objects are in the order of their hashes, like their bytes in the backup. Those awaiting deletion belong to no image. */
const rowFilter = (table: string): string =>
  table === 'StoredObject' ? `WHERE "state" = 'live' ORDER BY "sha256" COLLATE "C"` : ''
