import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { extract, type Header, pack } from 'tar-stream'
import { BACKUP_MANIFEST, END, endSchema, manifestSchema, tableEntry } from '#server/owner/backup/format.ts'

export interface TarEntry {
  readonly header: Pick<Header, 'name'> & Partial<Header>
  readonly body: Buffer
}

export async function readTar(tar: Buffer): Promise<readonly TarEntry[]> {
  const reading = extract()
  Readable.from([tar]).pipe(reading)
  return Array.fromAsync(reading, async (entry) => ({ header: entry.header, body: await buffer(Readable.from(entry)) }))
}

export async function writeTar(entries: readonly TarEntry[]): Promise<Buffer> {
  const tar = pack()
  for (const { header, body } of entries) tar.entry(header, body)
  tar.finalize()
  return buffer(Readable.from(tar))
}

/** Returns a backup with other rows in a table, every hash and number of which agrees, as only somebody who means it makes. */
export async function withRows(
  backup: Buffer,
  table: string,
  change: (rows: readonly string[]) => readonly string[],
): Promise<Buffer> {
  const entries = await readTar(backup)
  const find = (name: string) => entries.find(({ header }) => header.name === name)?.body.toString() ?? '{}'
  const rows = change(find(tableEntry(table)).split('\n').slice(0, -1))
  const text = rows.map((row) => `${row}\n`).join('')
  const manifest = manifestSchema.parse(JSON.parse(find(BACKUP_MANIFEST)))
  const about = { rows: rows.length, bytes: Buffer.byteLength(text), sha256: hash('sha256', text) }
  const tables = manifest.tables.map((each) => (each.name === table ? { ...each, ...about } : each))
  const first = JSON.stringify({ ...manifest, tables })
  const end = { ...endSchema.parse(JSON.parse(find(END))), manifest: hash('sha256', first) }
  const changed = new Map([
    [BACKUP_MANIFEST, first],
    [tableEntry(table), text],
    [END, JSON.stringify(end)],
  ])
  const replaced = entries.map(({ header: { name }, body }) => {
    const own = changed.get(name)
    return { header: { name }, body: own === undefined ? body : Buffer.from(own) }
  })
  return writeTar(replaced)
}
