import { z } from 'zod'

/*
 * A backup is a tar: manifest.json; the rows of each table, a line of JSON each (database/User.jsonl); every object that rows
 * speak of, in the order of the StoredObject rows (objects/<key>); end.json. What is cut off has no end, rows are hashed in
 * the manifest, and objects by their names.
 */

/** Counted up when a reader of before would misunderstand what is written. */
export const FORMAT = 1

export const MANIFEST = 'manifest.json'
export const END = 'end.json'
export const tableEntry = (name: string): string => `database/${name}.jsonl`
export const objectEntry = (key: string): string => `objects/${key}`

const count = z.int().nonnegative()

const tableFile = z.strictObject({
  name: z.string(),
  /** In the order of each line's values. */
  columns: z.array(z.string()),
  rows: count,
  bytes: count,
  sha256: z.string(),
})

/** The rows of a table in a file: a line is an array of what PostgreSQL prints of each value, or null. */
export type TableFile = z.infer<typeof tableFile>

const objects = z.strictObject({ count, bytes: count })

/** First what says whether the rest can be read. */
export const formatSchema = z.object({ format: z.int(), sluice: z.string() })

export const manifestSchema = z.strictObject({
  format: z.literal(FORMAT),
  /** The version of Sluice that wrote it. */
  sluice: z.string(),
  createdAt: z.iso.datetime(),
  /** The migrations that the database had. */
  migrations: z.array(z.string()).min(1),
  /** Each behind those that it refers to. */
  tables: z.array(tableFile),
  /** What the rows speak of. */
  objects,
})

/** What a backup holds. */
export type Manifest = z.infer<typeof manifestSchema>

export const endSchema = z.strictObject({
  /** The SHA-256 of the manifest, as it stands in the file. */
  manifest: z.string(),
  objects,
  /** Keys that rows speak of, but whose bytes the store did not have, or not those. */
  damaged: z.array(z.string()),
})

export type BackupEnd = z.infer<typeof endSchema>

/** A backup could not be made, or cannot be used; the message is for the owner. */
export class BackupFailed extends Error {
  override name = 'BackupFailed'
}
