import { z } from 'zod'
import { lockCaller } from '#server/accounts/lock-caller.ts'
import { toActor, writeAudit } from '#server/audit/audit.ts'
import { transact } from '#server/database/transact.ts'
import { refuse } from '#server/errors/refuse.ts'
import { limitAdminChange } from '#server/limit-admin/limits.ts'
import { superadminProcedure } from '#server/trpc/init.ts'
import { lockWaysIn } from '../lock-out.ts'
import { providerName } from '../provider.ts'

/** Sets the order of the providers' buttons. Throws CONFLICT if providers were added or deleted in the meantime. */
export const orderProviders = superadminProcedure
  .meta({ limits: limitAdminChange, audit: 'provider.order', proof: 'fresh' })
  .input(z.strictObject({ names: z.array(providerName).max(100) }))
  .mutation(async ({ ctx, input: { names } }) => {
    await transact(ctx.app.db, async (tx) => {
      await lockCaller(tx, ctx.viewer)
      await lockWaysIn(tx)
      const present = await tx.oidcProvider.findMany({
        orderBy: [{ position: 'asc' }, { name: 'asc' }],
        select: { name: true },
      })
      const before = present.map(({ name }) => name)
      if (before.toSorted().join() !== names.toSorted().join()) throw refuse('provider-changed')
      for (const [position, name] of names.entries())
        await tx.oidcProvider.update({ where: { name }, data: { position }, select: { name: true } })
      const order = { before: { order: before.join(', ') }, after: { order: names.join(', ') } }
      await writeAudit(tx, toActor(ctx), { action: 'provider.order', target: 'providers', ...order })
    })
    return { names }
  })
