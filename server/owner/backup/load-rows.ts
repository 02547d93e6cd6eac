import type { Transaction } from '#server/database/database.ts'
import { isDatabaseRejection } from '#server/database/rejection.ts'
import { type Column, type DatabaseTable, quoteIdentifier, readCatalogue } from './catalogue.ts'
import { BackupFailed, type TableFile } from './format.ts'
import { tableFilePath } from './snapshot.ts'
import { checkRow, readLines } from './table-lines.ts'

/** Lines and bytes per INSERT. */
const PAGE = 500
const PAGE_BYTES = 4 * 1024 * 1024

/** The bucket's meter writes these tables during the restore; its rows and those of the backup are added up. */
const SUMMED_TABLES = new Set(['Spending', 'UsageDay', 'ObjectUsageDay', 'ImageUsageDay'])
/** Written by the meter too: existing rows stay. */
const KEPT_TABLES = new Set(['BudgetEvent'])

const mustBeEmpty = (table: string): boolean => !SUMMED_TABLES.has(table) && !KEPT_TABLES.has(table)

/** Returns whether the database has rows that prevent a restore. */
export async function isFilled(tx: Transaction): Promise<boolean> {
  for (const { name } of await readCatalogue(tx)) {
    if (mustBeEmpty(name) && (await hasRows(tx, `SELECT 1 FROM ${quoteIdentifier(name)} LIMIT 1`))) return true
  }
  return false
}

/** The rows of a backup: their files, and whether a newer version wrote them. */
export interface LoadedTables {
  readonly tables: readonly TableFile[]
  readonly isNewer: boolean
}

/**
 * Inserts the rows from the files in a folder; triggers count what is derived from them. Tables and columns that the database does
 * not have are left out if `isNewer`. Throws BackupFailed if the tables differ otherwise, or if the database rejects a row.
 */
export async function loadRows(
  tx: Transaction,
  { tables: files, isNewer }: LoadedTables,
  folder: string,
): Promise<void> {
  const tables = await readCatalogue(tx)
  const { missing, unknown } = compareTables(tables, files)
  if (missing.length > 0 || (unknown.length > 0 && !isNewer)) {
    throw new BackupFailed(`Its tables do not match this version: ${[...missing, ...unknown].join(', ')}.`)
  }
  for (const table of tables) {
    const file = files.find(({ name }) => name === table.name)
    const columns = columnsInFileOrder(table, file)
    const path = tableFilePath(folder, table.name)
    const rows = await explainRejection(table.name, () => loadTable(tx, { name: table.name, columns }, path))
    if (rows !== file?.rows) throw new BackupFailed(`${table.name} has ${rows} rows, but ${file?.rows} were expected.`)
    for (const { name, isSerial } of table.columns) if (isSerial) await setSerial(tx, table.name, name)
  }
  if (tables.some(({ name }) => name === 'StoredDay')) await explainRejection('StoredObject', () => countStored(tx))
}

/** Throws BackupFailed for what the database does not accept, as opposed to an outage. */
async function explainRejection<T>(table: string, insert: () => Promise<T>): Promise<T> {
  try {
    return await insert()
  } catch (error) {
    if (!isDatabaseRejection(error)) throw error
    throw new BackupFailed(`The database rejects a row of ${table}.`, { cause: error })
  }
}

/**
 * Lets the triggers count what is stored, then deletes the StoredDay rows that they add after those of the backup: to the
 * triggers, nothing was stored before now. A day without a row counts with what is stored, as it did in the original.
 */
async function countStored(tx: Transaction): Promise<void> {
  const last = await tx.storedDay.findFirst({ orderBy: { day: 'desc' } })
  await tx.$executeRaw`SET CONSTRAINTS ALL IMMEDIATE`
  await tx.storedDay.deleteMany({ where: last ? { day: { gt: last.day } } : {} })
}

/** Tables and columns that only one side has, as `Share` or `Image.camera`. */
export function compareTables(
  tables: readonly DatabaseTable[],
  files: readonly Pick<TableFile, 'name' | 'columns'>[],
): { readonly missing: readonly string[]; readonly unknown: readonly string[] } {
  const own = tables.map(({ name, columns }) => ({ name, columns: columns.map((column) => column.name) }))
  return { missing: listLacking(files, own), unknown: listLacking(own, files) }
}

type Named = readonly Pick<TableFile, 'name' | 'columns'>[]

/** Returns what of `wanted` is not in `found`. */
function listLacking(found: Named, wanted: Named): readonly string[] {
  return wanted.flatMap(({ name, columns }) => {
    const table = found.find((each) => each.name === name)
    if (!table) return name
    return columns.filter((column) => !table.columns.includes(column)).map((column) => `${name}.${column}`)
  })
}

/** The columns of a table in the order of its file, which may be another in a database migrated step by step; null for those that
 *  the database does not have. */
export interface FileTable {
  readonly name: string
  readonly columns: readonly (Column | null)[]
}

const columnsInFileOrder = ({ columns }: DatabaseTable, file: TableFile | undefined): FileTable['columns'] =>
  (file?.columns ?? []).map((name) => columns.find((column) => column.name === name) ?? null)

/** Returns the number of rows. */
async function loadTable(tx: Transaction, table: FileTable, path: string): Promise<number> {
  const insert = insertInto(table)
  let [rows, bytes, page] = [0, 0, [] as string[]]
  const flush = async () => {
    if (page.length > 0) await tx.$executeRawUnsafe(insert, `[${page.join(',')}]`)
    bytes = 0
    page = []
  }
  for await (const line of readLines(path)) {
    checkRow(line, table)
    rows += 1
    bytes += line.length
    page.push(line)
    if (page.length === PAGE || bytes > PAGE_BYTES) await flush()
  }
  await flush()
  return rows
}

function insertInto({ name, columns: inFile }: FileTable): string {
  const columns = inFile.filter((column) => column !== null)
  const names = columns.map((column) => quoteIdentifier(column.name))
  const values = inFile.flatMap((column, index) => (column ? `("line" ->> ${index})::${column.type}` : []))
  const insert = `INSERT INTO ${quoteIdentifier(name)} (${names}) SELECT ${values} FROM json_array_elements($1::text::json) AS "line"`
  if (mustBeEmpty(name)) return insert
  const key = columns.filter(({ isKey }) => isKey).map((column) => quoteIdentifier(column.name))
  const counters = columns.filter(({ isKey }) => !isKey).map((column) => quoteIdentifier(column.name))
  const sums = counters.map((counter) => `${counter} = ${quoteIdentifier(name)}.${counter} + EXCLUDED.${counter}`)
  return `${insert} ON CONFLICT (${key}) DO ${KEPT_TABLES.has(name) ? 'NOTHING' : `UPDATE SET ${sums}`}`
}

/** Sets the sequence, so that new rows are numbered after the restored ones. */
async function setSerial(tx: Transaction, table: string, column: string): Promise<void> {
  const values = `SELECT setval(pg_get_serial_sequence($1, $2), max(${quoteIdentifier(column)}))::text FROM ${quoteIdentifier(table)}`
  if (await hasRows(tx, `SELECT 1 FROM ${quoteIdentifier(table)} LIMIT 1`))
    await tx.$queryRawUnsafe(values, quoteIdentifier(table), column)
}

async function hasRows(tx: Transaction, query: string): Promise<boolean> {
  const rows = await tx.$queryRawUnsafe<unknown[]>(query)
  return rows.length > 0
}
