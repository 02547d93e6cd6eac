import { z } from 'zod'
import { isSuperadmin } from '#server/accounts/viewer.ts'
import { refuse } from '#server/errors/refuse.ts'
import { personalProcedure } from '#server/trpc/init.ts'
import { type ShareLimit, shareLimits, sharePolicies, shareTotals, shareView } from './limits.ts'
import { type DayOfUse, dayColumns, toDay, today } from './use/day-of-use.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const DAYS = 30

/** A limit of a share as it is now. */
export interface LimitOfShare {
  readonly name: ShareLimit
  readonly limit: number
  readonly used: number
  /** Milliseconds until some of it comes back. */
  readonly resetMs: number
}

/** Returns the use of a share on each of the last thirty days, and what of its limits is used now. Charges none of them. */
export const shareUse = personalProcedure
  .meta({ limits: shareView, scope: 'read' })
  .input(z.strictObject({ id: z.uuid() }))
  .query(async ({ ctx, input: { id } }): Promise<{ limits: readonly LimitOfShare[]; days: readonly DayOfUse[] }> => {
    const { db, limiter, sharing } = ctx.app
    const share = await db.share.findFirst({
      where: { id, ...(!isSuperadmin(ctx.viewer) && { ownerId: ctx.viewer.userId }) },
      select: { id: true, requestsPerHour: true, requestsPerDay: true, bytesPerDay: true },
    })
    if (!share) throw refuse('share-not-found')
    await sharing.use.flush()
    const since = new Date(today().getTime() - (DAYS - 1) * DAY_MS)
    const [{ rules }, days] = await Promise.all([
      limiter.peek(shareTotals(share)),
      db.shareDay.findMany({
        where: { shareId: id, day: { gte: since } },
        orderBy: { day: 'asc' },
        select: dayColumns,
      }),
    ])
    const limits = shareLimits.flatMap((name) => {
      const rule = rules.find(({ policy }) => policy === sharePolicies[name])
      return rule ? [{ name, limit: rule.limit, used: rule.limit - rule.remaining, resetMs: rule.resetMs }] : []
    })
    return { limits, days: days.map(toDay) }
  })
