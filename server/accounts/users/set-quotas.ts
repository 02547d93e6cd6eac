import { z } from 'zod'
import { toActor, writeAudit } from '#server/audit/audit.ts'
import { transact } from '#server/database/transact.ts'
import { invalid } from '#server/errors/invalid.ts'
import { superadminProcedure } from '#server/trpc/init.ts'
import { userAdmin } from '../limits.ts'
import { requireSession } from '../lock-caller.ts'
import { toUserItem, type UserItem, userColumns } from './users.ts'

const quota = z.int().min(0).nullable()

const change = z.strictObject({
  id: z.uuid().toLowerCase(),
  /** Bytes; null for the site's default. */
  quotaBytes: quota,
  /** If given, changes nothing unless the user has this quota: an undo must not overwrite what came after. */
  from: quota.optional(),
})

const input = z.strictObject({
  changes: z
    .array(change)
    .min(1)
    .max(100)
    .refine((changes) => new Set(changes.map(({ id }) => id)).size === changes.length, invalid('repeatedUser')),
})

type QuotaOutcome =
  /** `previous` is the quota before, for undoing it. */
  | { readonly id: string; readonly outcome: 'done'; readonly user: UserItem; readonly previous: number | null }
  | { readonly id: string; readonly outcome: 'user-not-found' | 'quota-changed' }

/** Sets the quotas of several users, and returns what became of each. A smaller quota deletes nothing. */
export const setQuotas = superadminProcedure
  .meta({ limits: userAdmin, audit: 'user.setQuotas' })
  .input(input)
  .mutation(({ ctx, input: { changes } }) =>
    transact(ctx.app.db, async (tx) => {
      const ids = changes.map(({ id }) => id)
      await tx.$queryRaw`
        SELECT id FROM "User" WHERE id = ANY(${[...ids, ctx.viewer.userId]}::uuid[]) ORDER BY id FOR NO KEY UPDATE`
      await requireSession(tx, ctx.viewer)
      const users = await tx.user.findMany({
        where: { id: { in: ids }, guestUntil: null },
        select: { id: true, quotaBytes: true },
      })
      const quotas = new Map(users.map(({ id, quotaBytes }) => [id, quotaBytes === null ? null : Number(quotaBytes)]))
      const items: QuotaOutcome[] = []
      for (const { id, quotaBytes, from } of changes) {
        const previous = quotas.get(id)
        if (previous === undefined) items.push({ id, outcome: 'user-not-found' })
        else if (from !== undefined && from !== previous) items.push({ id, outcome: 'quota-changed' })
        else {
          const user = await tx.user.update({ where: { id }, data: { quotaBytes }, select: userColumns })
          const states = { before: { quotaBytes: previous }, after: { quotaBytes } }
          const act = { action: 'user.setQuotas', target: `user/${id}`, account: user } as const
          await writeAudit(tx, toActor(ctx), { ...act, ...states })
          items.push({ id, outcome: 'done', user: toUserItem(user), previous })
        }
      }
      return { items }
    }),
  )
