import { z } from 'zod'
import { cursorInput, encodeCursor } from '#server/trpc/cursor.ts'
import { adminProcedure } from '#server/trpc/init.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import { reportView } from './limits.ts'
import { countReasons, type ReportItem, reportColumns, toReportItem } from './report-item.ts'

const input = z.strictObject({
  state: z.enum(['open', 'closed']).default('open'),
  cursor: cursorInput(z.uuid()).optional(),
  limit: z.int().min(1).max(50).default(20),
})

/** Returns a page of the reported images, those last reported first: `{ state?: 'open' | 'closed', cursor?, limit? }`. Viewers of a shared
 *  account do not see who has reported them. */
export const listReports = adminProcedure
  .meta({ limits: reportView })
  .input(input.prefault({}))
  .query(async ({ ctx, input }): Promise<{ items: readonly ReportItem[]; nextCursor: string | null }> => {
    const { db } = ctx.app
    const { cursor, limit, state } = input
    const after: Prisma.ReportWhereInput = cursor
      ? { OR: [{ lastAt: { lt: cursor.at } }, { lastAt: cursor.at, id: { lt: cursor.id } }] }
      : {}
    const rows = await db.report.findMany({
      where: { AND: [{ closedAt: state === 'open' ? null : { not: null } }, after] },
      orderBy: [{ lastAt: 'desc' }, { id: 'desc' }],
      take: limit + 1,
      select: reportColumns,
    })
    const page = rows.slice(0, limit)
    const reasons = await countReasons(db, page)
    const last = page.at(-1)
    return {
      items: page.map((row) => toReportItem(ctx.app, ctx.viewer, row, reasons.get(row.id) ?? [])),
      nextCursor: rows.length > page.length && last ? encodeCursor({ at: last.lastAt, id: last.id }) : null,
    }
  })
