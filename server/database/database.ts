import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { PrismaPg } from '@prisma/adapter-pg'
import { Pool } from 'pg'
import { PrismaPGlite } from 'pglite-prisma-adapter'
import { CannotStart } from '#server/cannot-start.ts'
import { PrismaClient } from '../../generated/prisma/client.ts'
import { databasePlace, describeConnectionProblem } from './connection-problem.ts'
import { FolderInUse, lockFolder } from './folder-lock.ts'
import { keepStatements } from './kept-statements.ts'
import { migrate } from './migrate.ts'
import { explainPermissionError } from './not-permitted.ts'
import { openPglite } from './open-pglite.ts'
import { checkSchema, noDatabase, type SchemaWanted } from './schema-wanted.ts'
import { copyTemplate } from './template.ts'
import { type WatchDatabase, watchAdapter } from './watched-adapter.ts'

export type { PrismaClient }

/** The client inside `db.$transaction`. */
export type Transaction = Parameters<Parameters<PrismaClient['$transaction']>[0]>[0]

/** How to reach the database: an embedded one in this process, with one connection, or a server. */
export type DatabaseConnection =
  | { readonly kind: 'embedded'; readonly pglite: PGlite }
  | { readonly kind: 'postgres'; readonly url: string }

export interface Database {
  readonly db: PrismaClient
  /** 'PGlite in …' or 'PostgreSQL at …', without credentials. */
  readonly description: string
  /** For the job queue, which uses the same database through connections of its own. */
  readonly connection: DatabaseConnection
  /** Connections in use and idle, and how many queries wait for one. */
  figures(): ConnectionFigures
  close(): Promise<void>
}

export interface ConnectionFigures {
  readonly used: number
  readonly idle: number
  readonly waiting: number
}

/** Opens and migrates the database: PostgreSQL at `databaseUrl`, or PGlite in `dataDir`/db. Throws CannotStart without
 *  a connection or sufficient rights: FolderInUse if another process has the folder open, OtherSchema if the database
 *  is not as `wanted`. */
export async function openDatabase(
  config: { dataDir: string; databaseUrl: string | null; processes?: { readonly count: number } },
  wanted: SchemaWanted = 'any',
  watch: WatchDatabase = (_operation, work) => work(),
): Promise<Database> {
  return config.databaseUrl
    ? openPostgres(config.databaseUrl, wanted, watch, connectionsEach(config.processes?.count ?? 1))
    : openEmbedded(join(config.dataDir, 'db'), wanted, watch)
}

/** Milliseconds for opening a connection or waiting for a free one, and for one statement, including its wait for
 *  locks. */
const CONNECT_MS = 5_000
const QUERY_MS = 15_000

/** After which the server ends a statement, whose caller has given up: nothing else would. Set by a statement, because poolers such
 *  as PgBouncer refuse it as a startup parameter. */
const STATEMENT_MS = QUERY_MS + 1_000

/** Connections of a process's pool: those of one are divided, and four are left for transactions of several callers. The job queue
 *  has up to three besides. */
export const connectionsEach = (processes: number): number => Math.max(4, Math.ceil(10 / processes))

async function openPostgres(url: string, wanted: SchemaWanted, watch: WatchDatabase, max: number): Promise<Database> {
  await migratePostgres(url, wanted)
  const pool = new Pool({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: QUERY_MS,
    max,
    onConnect: async (client) => void (await client.query(`SET statement_timeout = ${STATEMENT_MS}`)),
  })
  // A connection whose response never arrived would block its next user as well. Transactions return such connections
  // to the pool too.
  pool.on('release', (_error, client) => {
    if (Reflect.get(client, 'readyForQuery') === false) void client.end().catch(() => undefined)
  })
  const db = new PrismaClient({ adapter: watchAdapter(new PrismaPg(pool, { disposeExternalPool: true }), watch) })
  const description = `PostgreSQL at ${databasePlace(url)}`
  const figures = () => {
    const { totalCount, idleCount: idle, waitingCount: waiting } = pool
    return { used: totalCount - idle, idle, waiting }
  }
  return { db, description, connection: { kind: 'postgres', url }, figures, close: () => db.$disconnect() }
}

/** Runs each migration script as a whole. The adapter would split it at every semicolon, even inside functions. */
class MigratingPg extends PrismaPg {
  readonly #pool: Pool

  constructor(pool: Pool) {
    super(pool)
    this.#pool = pool
  }

  override async connect(): ReturnType<PrismaPg['connect']> {
    const executeScript = async (script: string) => void (await this.#pool.query(script))
    return Object.assign(await super.connect(), { executeScript })
  }
}

/** Migrates over a pool of its own. Closing that pool releases the engine's advisory lock, for which other processes
 *  wait. */
async function migratePostgres(connectionString: string, wanted: SchemaWanted): Promise<void> {
  const pool = new Pool({ connectionString, connectionTimeoutMillis: CONNECT_MS })
  try {
    await checkConnection(pool, connectionString)
    if (await checkSchema(wanted, (sql) => pool.query(sql))) await migrate(new MigratingPg(pool))
  } catch (error) {
    throw explainPermissionError(error)
  } finally {
    await pool.end()
  }
}

/** Throws CannotStart without a connection. */
export async function checkConnection(pool: Pool, url: string): Promise<void> {
  try {
    const client = await pool.connect()
    client.release()
  } catch (error) {
    throw new CannotStart(`DATABASE_URL: ${describeConnectionProblem(url, error)}`, { cause: error })
  }
}

async function openEmbedded(folder: string, wanted: SchemaWanted, watch: WatchDatabase): Promise<Database> {
  const pgdata = join(folder, 'pgdata')
  // Creates nothing when there must be a database already.
  if (!existsSync(pgdata) && wanted === 'same') throw noDatabase()
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await using opened = new AsyncDisposableStack()
  opened.use(lockOrThrow(folder))
  if (!existsSync(pgdata)) await copyTemplate(pgdata)
  const pglite = await openPglite(pgdata)
  opened.defer(() => pglite.close())
  if (await checkSchema(wanted, (sql) => pglite.query(sql))) await migrate(new PrismaPGlite(pglite))
  const running = new Running(watch)
  const db = new PrismaClient({ adapter: watchAdapter(new PrismaPGlite(keepStatements(pglite)), running.watch) })
  opened.defer(() => db.$disconnect())
  const toClose = opened.move()
  const description = `PGlite in ${folder}`
  return {
    ...{ db, description, connection: { kind: 'embedded', pglite }, figures: () => running.figures },
    close: () => toClose.disposeAsync(),
  }
}

/** Counts what is under way in the embedded database, which has one connection. */
class Running {
  #count = 0
  readonly watch: WatchDatabase

  constructor(watch: WatchDatabase) {
    this.watch = (operation, work, about) =>
      watch(
        operation,
        async () => {
          this.#count += 1
          try {
            return await work()
          } finally {
            this.#count -= 1
          }
        },
        about,
      )
  }

  get figures(): ConnectionFigures {
    const used = Math.min(1, this.#count)
    return { used, idle: 1 - used, waiting: this.#count - used }
  }
}

function lockOrThrow(folder: string): Disposable {
  try {
    return lockFolder(folder)
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error
    throw new FolderInUse(
      `Another Sluice process has the embedded database in ${folder} open. Stop that one, give this one another SLUICE_DATA, or let both share a PostgreSQL by DATABASE_URL.`,
    )
  }
}
