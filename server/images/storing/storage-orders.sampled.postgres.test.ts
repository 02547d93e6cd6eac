import { openPostgresDatabase } from '#testing/servers/postgres-database.ts'
import { keepsEveryOrder } from '#testing/storage/storage-orders.ts'

keepsEveryOrder(
  'PostgreSQL',
  [
    { before: 'trashed', kinds: ['upload', 'purge', 'sweep'], variants: 0, orders: 960, part: 30 },
    { before: 'marked', kinds: ['upload', 'upload again', 'remove'], variants: 0, orders: 3130, part: 20 },
  ],
  openPostgresDatabase,
)
