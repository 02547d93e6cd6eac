import { z } from 'zod'
import { encodeCursor } from '#server/trpc/cursor.ts'
import { personalAdminProcedure } from '#server/trpc/init.ts'
import { auditCursor } from './cursor.ts'
import { type AuditItem, toAuditItem } from './entry.ts'
import { auditFilter, visibleTo } from './filter.ts'
import { auditView } from './limits.ts'
import { readEntries } from './read-entries.ts'

const input = z.strictObject({
  ...auditFilter.shape,
  cursor: auditCursor.optional(),
  limit: z.int().min(1).max(100).default(50),
})

/** `nextCursor` is null at the end. Before it, a page may have fewer entries than asked for. */
export interface AuditPage {
  readonly items: readonly AuditItem[]
  readonly nextCursor: string | null
}

/** Returns recorded acts, newest first: to superadmins all of them, to admins their own and those on users. */
export const listEntries = personalAdminProcedure
  .meta({ limits: auditView })
  .input(input.prefault({}))
  .query(async ({ ctx, input: { cursor, limit, ...filter } }): Promise<AuditPage> => {
    const visible = visibleTo(ctx.viewer)
    const { rows, next } = await readEntries(ctx.app.db, { filter, visible, after: cursor ?? null, limit })
    return { items: rows.map(toAuditItem), nextCursor: next && encodeCursor(next) }
  })
