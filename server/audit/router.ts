import { router } from '#server/trpc/init.ts'
import { exportEntries } from './export-entries.ts'
import { listEntries } from './list-entries.ts'
import { listOwnEntries } from './list-own.ts'

export const auditRouter = router({ list: listEntries, mine: listOwnEntries, export: exportEntries })
