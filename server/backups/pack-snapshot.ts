import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { BackupManifest } from '#server/owner/backup/format.ts'
import { tableFilePath } from '#server/owner/backup/snapshot.ts'
import { type NamedObject, readObjects } from '#server/owner/backup/table-lines.ts'
import { packRows } from '#server/owner/backup/write-backup.ts'
import type { ObjectKey } from '#server/storage/object-store.ts'

/** Yields the objects that a snapshot's rows name, in the order of their keys. */
export async function* namedIn({ tables }: BackupManifest, folder: string): AsyncIterable<NamedObject> {
  const table = tables.find(({ name }) => name === 'StoredObject')
  if (table) yield* readObjects(tableFilePath(folder, table.name), table)
}

/** Writes the file of a snapshot into the folder with its rows: all but the objects. */
export async function packSnapshot(folder: string, manifest: BackupManifest, damaged: ObjectKey[]) {
  const lost = new Set<string>(damaged)
  const objects = { count: 0, bytes: 0 }
  for await (const { key, size } of namedIn(manifest, folder)) {
    if (lost.has(key)) continue
    objects.count += 1
    objects.bytes += size
  }
  const path = join(folder, 'snapshot.tar.gz')
  const { body } = packRows(folder, manifest, { objects, damaged })
  const hash = createHash('sha256')
  let size = 0
  const measured = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      hash.update(chunk)
      size += chunk.length
      yield chunk
    }
  }
  await pipeline(body, createGzip(), measured, createWriteStream(path, { mode: 0o600 }))
  return { path, size, sha256: hash.digest('hex') }
}
