import { openEmbeddedDatabase } from '#testing/embedded-database.ts'
import { keepsEveryOrder } from '#testing/storage-orders.ts'

// Three at once are ordered on PostgreSQL, and here by storage-orders.long.test.ts.
keepsEveryOrder(
  'PGlite',
  [
    { before: 'trashed', kinds: ['upload', 'purge'], variants: 1, orders: 18 },
    { before: 'orphan', kinds: ['upload', 'sweep'], variants: 1, orders: 31 },
    { before: 'marked', kinds: ['upload', 'sweep'], variants: 1, orders: 263 },
    { before: 'trashed', kinds: ['purge', 'sweep'], variants: 1, orders: 21 },
  ],
  openEmbeddedDatabase,
)
