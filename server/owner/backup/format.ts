import { z } from 'zod'

/*
 * A backup is a tar: manifest.json; the rows of each table as lines of JSON (database/User.jsonl); every object that the rows
 * reference, in the order of the StoredObject rows (objects/<key>); end.json. A truncated file has no end.json; the manifest
 * has the hashes of the tables' files, and an object's key is its hash.
 */

/** Incremented when older readers would misread the file. */
export const FORMAT = 1

export const BACKUP_MANIFEST = 'manifest.json'
export const END = 'end.json'
export const tableEntry = (name: string): string => `database/${name}.jsonl`
export const objectEntry = (key: string): string => `objects/${key}`

const count = z.int().nonnegative()

const tableFile = z.strictObject({
  name: z.string(),
  /** In the order of the values in each line. */
  columns: z.array(z.string()),
  rows: count,
  bytes: count,
  sha256: z.string(),
})

/** The file of a table's rows: each line is a JSON array of the values as PostgreSQL text, or null. */
export type TableFile = z.infer<typeof tableFile>

const objects = z.strictObject({ count, bytes: count })

/** Parsed first, to find out whether the rest can be read. */
export const formatSchema = z.object({ format: z.int(), sluice: z.string() })

export const manifestSchema = z.strictObject({
  format: z.literal(FORMAT),
  /** The version of Sluice that wrote it. */
  sluice: z.string(),
  createdAt: z.iso.datetime(),
  /** The migrations applied to the database. */
  migrations: z.array(z.string()).min(1),
  /** Each after those that it references. */
  tables: z.array(tableFile),
  /** Those referenced by rows. */
  objects,
})

export type BackupManifest = z.infer<typeof manifestSchema>

export const endSchema = z.strictObject({
  /** The SHA-256 of the bytes of manifest.json. */
  manifest: z.string(),
  objects,
  /** Keys referenced by rows whose objects were missing or corrupt. */
  damaged: z.array(z.string()),
})

export type BackupEnd = z.infer<typeof endSchema>

/** A backup failed or cannot be used; the message is for the owner. */
export class BackupFailed extends Error {
  override name = 'BackupFailed'
}
