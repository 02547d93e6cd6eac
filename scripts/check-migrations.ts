// Checks the rule of migrations (CONTRIBUTING.md, "A column"): the previous version must be able to use the database after a
// migration. Statements that are not known to be harmless are findings.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseScript, type Script, type Statement } from './migration-script.ts'

export interface Migration {
  readonly name: string
  readonly sql: string
}

/** Migrations that break the rule: two are older than it; the third drops an index that earlier versions only read by, in favour of
 *  one that is not unique. */
const EXEMPT = new Set([
  '20261121133906_holds_and_trash',
  '20261121231111_jobs_in_a_queue',
  '20261128065000_images_alike',
])

/** The state after earlier migrations and statements. */
interface Known {
  /** Created by this migration, so that no earlier version uses them. */
  readonly newTables: Set<string>
  readonly newColumns: Set<string>
  /** Those of them that are null unless they are written. */
  readonly emptyColumns: Set<string>
  /** Declared as unread by earlier migrations, with the name of that migration. */
  readonly unread: Map<string, string>
  /** Indexes that do not restrict what can be written. */
  readonly plainIndexes: Set<string>
}

type Check = (parts: readonly string[], known: Known, script: Script) => string | null

const fits = () => null

function noteName(names: Set<string>, name: string): null {
  names.add(name)
  return null
}

/** Patterns of harmless statements, with names quoted as in SQL. The first match decides. */
const SHAPES: readonly (readonly [RegExp, Check])[] = [
  [/^CREATE (?:TYPE|SEQUENCE) /, fits],
  [/^CREATE TABLE ("\w+") /, ([table = ''], { newTables }) => noteName(newTables, table)],
  [/^CREATE INDEX ("\w+") /, ([index = ''], { plainIndexes }) => noteName(plainIndexes, index)],
  [/^CREATE UNIQUE INDEX "\w+" ON ("\w+") ?(.*)$/, checkUniqueIndex],
  [
    /^DROP INDEX ("\w+")$/,
    ([index = ''], { plainIndexes }) => (plainIndexes.has(index) ? null : 'earlier versions may rely on the index'),
  ],
  [/^CREATE (?:OR REPLACE )?FUNCTION /, fits],
  [/^CREATE (?:CONSTRAINT )?TRIGGER /, fits],
  [/^(?:LOCK TABLE|COMMENT ON) /, fits],
  [
    /^INSERT INTO ("\w+") /,
    ([table = ''], { newTables }) => (newTables.has(table) ? null : 'it adds rows to a table in use'),
  ],
  [/^UPDATE ("\w+") (SET "\w+" = .+)$/, checkUpdate],
  [
    /^ALTER TABLE ("\w+") ADD CONSTRAINT /,
    ([table = ''], { newTables }) => (newTables.has(table) ? null : 'earlier versions may write what it forbids'),
  ],
  [/^ALTER TABLE ("\w+") ALTER COLUMN "\w+" SET DEFAULT [^,]+$/, fits],
  [/^ALTER TABLE ("\w+") (ADD COLUMN .+)$/, checkAddedColumns],
  [
    /^ALTER TABLE ("\w+") DROP COLUMN ("\w+")$/,
    ([table, column], known, script) => contraction(`${table}.${column}`, known, script),
  ],
  [/^DROP TABLE ("\w+")$/, ([table = ''], known, script) => contraction(table, known, script)],
]

/** A new table, or one new column that is null in every row that earlier versions write: unique indexes ignore nulls. */
function checkUniqueIndex(
  [table = '', rest = '']: readonly string[],
  { newTables, emptyColumns }: Known,
): string | null {
  const [, column] = /^\(("\w+")\)$/.exec(rest) ?? []
  const isEmpty = column !== undefined && emptyColumns.has(`${table}.${column}`)
  return newTables.has(table) || isEmpty ? null : 'earlier versions may write what it forbids'
}

function checkUpdate([table, rest = '']: readonly string[], { newColumns }: Known, { unread }: Script): string | null {
  const columns = [...rest.matchAll(/(?:^SET|,) ("\w+") = /g)].map(([, column]) => `${table}.${column}`)
  const inUse = columns.find((name) => !newColumns.has(name) && !unread.includes(name))
  return inUse === undefined ? null : `it changes ${inUse}, which is in use`
}

function checkAddedColumns(
  [table = '', actions = '']: readonly string[],
  { newTables, newColumns, emptyColumns }: Known,
): string | null {
  for (const action of actions.split(/, (?=ADD |DROP |ALTER )/)) {
    const [, column, definition = ''] = /^ADD COLUMN ("\w+") (.+)$/.exec(action) ?? []
    if (!column) return `${action} is not known to be harmless`
    newColumns.add(`${table}.${column}`)
    if (!/ (?:NOT NULL|DEFAULT)\b/.test(definition)) emptyColumns.add(`${table}.${column}`)
    if (newTables.has(table)) continue
    if (/ (?:UNIQUE|PRIMARY KEY|REFERENCES|CHECK)\b/i.test(definition))
      return 'earlier versions may write what it forbids'
    if (/ NOT NULL\b/.test(definition) && !/ DEFAULT /.test(definition))
      return 'earlier versions insert rows without it'
  }
  return null
}

/** Checks a drop: allowed if an earlier migration declared the target unread, and the database refuses older versions. */
function contraction(target: string, { unread }: Known, { contracts, readableFrom }: Script): string | null {
  const since = contracts.get(target)
  if (since === undefined) return `declare it: -- contracts: ${target} unread since <migration>`
  if (unread.get(target) !== since) return `no earlier migration ${since} says: -- unread: ${target}`
  if (readableFrom === null || readableFrom < since)
    return `"readable_from"() must return '${since}' or later from here on`
  return null
}

/** Returns one sentence for each finding. */
export function findContractions(migrations: readonly Migration[], schema: string): string[] {
  const unread = new Map<string, string>()
  const plainIndexes = new Set<string>()
  const findings = migrations.flatMap(({ name, sql }) => {
    const script = parseScript(sql)
    const known: Known = { newTables: new Set(), newColumns: new Set(), emptyColumns: new Set(), unread, plainIndexes }
    const found = script.statements.flatMap((statement) => {
      const problem = findProblem(statement, known, script)
      return problem === null || EXEMPT.has(name) ? [] : [`${name}: ${statement.slice(0, 80)}: ${problem}`]
    })
    if (script.readableFrom !== null && script.readableFrom > name)
      found.push(`${name}: "readable_from"() names a later migration`)
    for (const target of script.unread) unread.set(target, name)
    for (const target of script.contracts.keys()) unread.delete(target)
    return found
  })
  const read = [...unread.keys()].filter((target) => !isIgnored(target, schema))
  return [...findings, ...read.map((target) => `prisma/schema.prisma: ${target} is declared unread, and lacks @ignore`)]
}

function findProblem(statement: Statement, known: Known, script: Script): string | null {
  for (const [shape, check] of SHAPES) {
    const match = shape.exec(statement)
    if (match) return check(match.slice(1), known, script)
  }
  return 'not known to be harmless'
}

/** Whether a column or table is hidden from the Prisma client. */
function isIgnored(target: string, schema: string): boolean {
  const [table = '', column] = target.replaceAll('"', '').split('.')
  const [, model = ''] = new RegExp(`^model ${table} \\{\\n([\\s\\S]*?)^\\}`, 'm').exec(schema) ?? []
  return column === undefined ? /^\s*@@ignore/m.test(model) : new RegExp(`^\\s*${column}\\s.*@ignore`, 'm').test(model)
}

if (import.meta.main) {
  const folder = join(import.meta.dirname, '../prisma')
  const names = readdirSync(join(folder, 'migrations'), { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const migrations = names
    .map(({ name }) => ({ name, sql: readFileSync(join(folder, 'migrations', name, 'migration.sql'), 'utf8') }))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
  const findings = findContractions(migrations, readFileSync(join(folder, 'schema.prisma'), 'utf8'))
  for (const finding of findings) console.error(finding)
  console.log(`migrations: ${findings.length} errors`)
  process.exitCode = findings.length > 0 ? 1 : 0
}
