import { z } from 'zod'
import type { Viewer } from '#server/accounts/viewer.ts'
import { encodeCursor } from '#server/trpc/cursor.ts'
import { personalProcedure } from '#server/trpc/init.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { auditCursor } from './cursor.ts'
import { type AuditItem, type EntryRow, toAuditItem } from './entry.ts'
import { auditView } from './limits.ts'
import type { AuditPage } from './list-entries.ts'
import { readEntries } from './read-entries.ts'

const input = z.strictObject({ cursor: auditCursor.optional(), limit: z.int().min(1).max(100).default(20) })

/** Returns what concerns the viewer's account, newest first: their own acts, sign-ins and failed ones, and what administrators did
 *  to it. */
export const listOwnEntries = personalProcedure
  .meta({ limits: auditView })
  .input(input.prefault({}))
  .query(async ({ ctx, input: { cursor, limit } }): Promise<AuditPage> => {
    const { viewer } = ctx
    const visible = Prisma.sql`"accountId" = ${viewer.userId}::uuid`
    const { rows, next } = await readEntries(ctx.app.db, { filter: {}, visible, after: cursor ?? null, limit })
    const items = rows.map((row) => toOwnItem(row, viewer))
    const others = items.flatMap(({ actor }) => (actor.id === null || actor.id === viewer.userId ? [] : actor.id))
    const named = await ctx.app.db.user.findMany({
      where: { id: { in: others } },
      select: { id: true, displayName: true },
    })
    const names = new Map(named.map(({ id, displayName }) => [id, displayName]))
    const withName = (item: AuditItem): AuditItem =>
      others.includes(item.actor.id ?? '')
        ? { ...item, actor: { ...item.actor, name: names.get(item.actor.id ?? '') ?? '' } }
        : item
    return { items: items.map(withName), nextCursor: next && encodeCursor(next) }
  })

/** Leaves out from where others acted, and their user names: `listOwnEntries` puts their display names in place, '' for none. Nobody's acts, such as failed sign-ins, show it: they are tries on this account. */
function toOwnItem(row: EntryRow, { userId }: Viewer): AuditItem {
  const item = withoutMaker(toAuditItem(row))
  const isOthers = item.actor.id !== null && item.actor.id !== userId
  return isOthers ? { ...item, address: null, userAgent: null, token: null, requestId: '' } : item
}

/** A link for a password names the administrator who made it by their user name. */
function withoutMaker(item: AuditItem): AuditItem {
  const { after } = item
  if (after === null || typeof after !== 'object' || !('linkBy' in after)) return item
  const { linkBy: _, ...rest } = after
  return { ...item, after: rest }
}
