import { z } from 'zod'
import { transact } from '#server/database/transact.ts'
import { refuse } from '#server/errors/refuse.ts'
import { createSealer } from '#server/sealed.ts'
import { encodeCursor } from '#server/trpc/cursor.ts'
import { superadminProcedure } from '#server/trpc/init.ts'
import { toActor, writeAudit } from './audit.ts'
import { auditCursor } from './cursor.ts'
import { toAuditItem } from './entry.ts'
import { exportFormats, exportText } from './export-text.ts'
import { type AuditFilter, auditFilter, visibleTo } from './filter.ts'
import { auditExport } from './limits.ts'
import { readEntries } from './read-entries.ts'

/** Entries per call: a few megabytes. */
export const EXPORTED_AT_ONCE = 2_000

const input = z.union([
  z.strictObject({ ...auditFilter.shape, format: z.enum(exportFormats) }),
  /** The rest of an export, from the previous part. */
  z.strictObject({ rest: z.string().max(6_000) }),
])

const progress = z.object({
  filter: auditFilter,
  format: z.enum(exportFormats),
  cursor: auditCursor.nullable(),
  /** Entries so far. */
  sent: z.int(),
})

/** What to export, and after which entry. */
type Progress = z.output<typeof progress>

/** Returns the first part of an export, newest entries first, or the rest of one. Exports are recorded; `rest` is sealed for the
 *  viewer, so that none continues without its record. */
export const exportEntries = superadminProcedure
  .meta({ limits: auditExport, audit: 'audit.export', proof: 'fresh' })
  .input(input)
  .mutation(async ({ ctx, input }): Promise<{ text: string; entries: number; rest: string | null }> => {
    const { db, config } = ctx.app
    const sealer = createSealer(config.secret, 'audit export')
    const { userId } = ctx.viewer
    const isFirst = 'format' in input
    const { filter, format, cursor, sent } = isFirst ? begin(input) : resume(sealer.open(input.rest, userId))
    if (isFirst) {
      const after = { format, ...filter }
      await transact(db, (tx) =>
        writeAudit(tx, toActor(ctx), { action: 'audit.export', target: 'audit', before: null, after }),
      )
    }
    const query = { filter, visible: visibleTo(ctx.viewer), after: cursor, limit: EXPORTED_AT_ONCE }
    const { rows, next } = await readEntries(db, query)
    const text = exportText(format, rows.map(toAuditItem), { isFirst, isLast: next === null, continues: sent > 0 })
    const rest =
      next &&
      sealer.seal(JSON.stringify({ filter, format, cursor: encodeCursor(next), sent: sent + rows.length }), userId)
    return { text, entries: rows.length, rest }
  })

function begin({ format, ...filter }: AuditFilter & Pick<Progress, 'format'>): Progress {
  return { filter, format, cursor: null, sent: 0 }
}

function resume(opened: string | null): Progress {
  if (opened === null) throw refuse('unusable-export')
  return progress.parse(JSON.parse(opened))
}
