import type { Transaction } from '#server/database/database.ts'
import { quoted, readCatalogue, type Table } from './catalogue.ts'
import { BackupFailed, type TableFile } from './format.ts'
import { fileOf } from './snapshot.ts'
import { linesOf } from './table-lines.ts'

/** Lines inserted at once, and their bytes. */
const PAGE = 500
const PAGE_BYTES = 4 * 1024 * 1024

/** What the bucket's meter writes while a backup is restored: both are true, and are added up. */
const ADDED_UP = new Set(['Spending', 'UsageDay', 'ObjectUsageDay'])
/** Written by the meter as well: what is there already stays. */
const KEPT = new Set(['BudgetEvent'])

/** Whether a table has rows that keep a backup from being restored. */
const mustBeEmpty = (table: string): boolean => !ADDED_UP.has(table) && !KEPT.has(table)

/** Whether there are rows that keep a backup from being restored. */
export async function isFilled(tx: Transaction): Promise<boolean> {
  for (const { name } of await readCatalogue(tx)) {
    if (mustBeEmpty(name) && (await has(tx, `SELECT 1 FROM ${quoted(name)} LIMIT 1`))) return true
  }
  return false
}

/**
 * Inserts rows from the files of a folder; what follows from them is counted by triggers. Throws BackupFailed where the tables
 * are not those that the database has.
 */
export async function loadRows(tx: Transaction, files: readonly TableFile[], folder: string): Promise<void> {
  const tables = await readCatalogue(tx)
  const differing = tables.map(shapeOf).filter((shape) => !files.map(shapeOfFile).includes(shape))
  if (differing.length > 0 || files.length !== tables.length) {
    throw new BackupFailed(
      `Its tables are not those of this version: ${differing.join(', ') || 'it has more of them'}.`,
    )
  }
  for (const table of tables) {
    const file = files.find(({ name }) => name === table.name)
    const rows = await loadTable(tx, { name: table.name, columns: inOrderOf(table, file) }, fileOf(folder, table.name))
    if (rows !== file?.rows) throw new BackupFailed(`${table.name} has ${rows} rows and not ${file?.rows}.`)
    for (const { name, isSerial } of table.columns) if (isSerial) await setSerial(tx, table.name, name)
  }
  if (tables.some(({ name }) => name === 'StoredDay')) await countStored(tx)
}

/**
 * Lets the triggers count what is stored, and removes the days that they write down behind those of the rows: to them nothing
 * was stored until now. A day without a row counts with what is stored, as it does in the place of the backup.
 */
async function countStored(tx: Transaction): Promise<void> {
  const last = await tx.storedDay.findFirst({ orderBy: { day: 'desc' } })
  await tx.$executeRaw`SET CONSTRAINTS ALL IMMEDIATE`
  await tx.storedDay.deleteMany({ where: last ? { day: { gt: last.day } } : {} })
}

const shapeOf = ({ name, columns }: Table): string => `${name}(${columns.map((column) => column.name).sort()})`
const shapeOfFile = ({ name, columns }: TableFile): string => `${name}(${columns.toSorted()})`

/** The columns as the file has them: a database that was migrated step by step may have them in another order. */
function inOrderOf({ columns }: Table, file: TableFile | undefined): Table['columns'] {
  return (file?.columns ?? []).flatMap((name) => columns.find((column) => column.name === name) ?? [])
}

/** Answers how many rows there were. */
async function loadTable(tx: Transaction, table: Table, path: string): Promise<number> {
  const insert = insertInto(table)
  let [rows, bytes, page] = [0, 0, [] as string[]]
  const flush = async () => {
    if (page.length > 0) await tx.$executeRawUnsafe(insert, `[${page.join(',')}]`)
    bytes = 0
    page = []
  }
  for await (const line of linesOf(path)) {
    rows += 1
    bytes += line.length
    page.push(line)
    if (page.length === PAGE || bytes > PAGE_BYTES) await flush()
  }
  await flush()
  return rows
}

function insertInto({ name, columns }: Table): string {
  const names = columns.map((column) => quoted(column.name))
  const values = columns.map(({ type }, index) => `("line" ->> ${index})::${type}`)
  const insert = `INSERT INTO ${quoted(name)} (${names}) SELECT ${values} FROM json_array_elements($1::text::json) AS "line"`
  if (mustBeEmpty(name)) return insert
  const key = columns.filter(({ isKey }) => isKey).map((column) => quoted(column.name))
  const counters = columns.filter(({ isKey }) => !isKey).map((column) => quoted(column.name))
  const sums = counters.map((counter) => `${counter} = ${quoted(name)}.${counter} + EXCLUDED.${counter}`)
  return `${insert} ON CONFLICT (${key}) DO ${KEPT.has(name) ? 'NOTHING' : `UPDATE SET ${sums}`}`
}

/** New rows are numbered behind those that are there. */
async function setSerial(tx: Transaction, table: string, column: string): Promise<void> {
  const values = `SELECT setval(pg_get_serial_sequence($1, $2), max(${quoted(column)}))::text FROM ${quoted(table)}`
  if (await has(tx, `SELECT 1 FROM ${quoted(table)} LIMIT 1`)) await tx.$queryRawUnsafe(values, quoted(table), column)
}

async function has(tx: Transaction, query: string): Promise<boolean> {
  const rows = await tx.$queryRawUnsafe<unknown[]>(query)
  return rows.length > 0
}
