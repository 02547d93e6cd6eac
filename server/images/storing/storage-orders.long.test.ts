import { openDatabase } from '#server/database/database.ts'
import { openEmbeddedDatabase } from '#testing/embedded-database.ts'
import { startPostgresServer } from '#testing/postgres-server.ts'
import { keepsEveryOrder } from '#testing/storage-orders.ts'

keepsEveryOrder(
  'PostgreSQL',
  [{ before: 'marked', kinds: ['upload', 'upload again', 'remove'], variants: 0, orders: 3126 }],
  async () => {
    const postgres = await startPostgresServer()
    const database = await openDatabase({ dataDir: '', databaseUrl: await postgres.createDatabase() })
    const close = async () => {
      await database.close()
      await postgres[Symbol.asyncDispose]()
    }
    return { ...database, close }
  },
)

keepsEveryOrder(
  'PGlite',
  [{ before: 'trashed', kinds: ['upload', 'purge', 'sweep'], variants: 0, orders: 844 }],
  openEmbeddedDatabase,
)
