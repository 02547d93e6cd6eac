import { openEmbeddedDatabase } from '#testing/sluice/embedded-database.ts'
import { keepsEveryOrder } from '#testing/storage/storage-orders.ts'

keepsEveryOrder(
  'PGlite',
  [
    { before: 'trashed', kinds: ['upload', 'purge'], variants: 1, orders: 27 },
    { before: 'orphan', kinds: ['upload', 'sweep'], variants: 1, orders: 31 },
    { before: 'marked', kinds: ['upload', 'sweep'], variants: 1, orders: 263, part: 20 },
    { before: 'trashed', kinds: ['purge', 'sweep'], variants: 1, orders: 21 },
    { before: 'trashed', kinds: ['upload', 'purge', 'sweep'], variants: 0, orders: 960, part: 20 },
  ],
  openEmbeddedDatabase,
)
