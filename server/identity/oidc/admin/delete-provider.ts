import { z } from 'zod'
import { lockCaller } from '#server/accounts/lock-caller.ts'
import { toActor, writeAudit } from '#server/audit/audit.ts'
import { transact } from '#server/database/transact.ts'
import { refuse } from '#server/errors/refuse.ts'
import { limitAdminChange } from '#server/limit-admin/limits.ts'
import { superadminProcedure } from '#server/trpc/init.ts'
import { lockWaysIn, refuseNoWayIn } from '../lock-out.ts'
import { providerName } from '../provider.ts'
import { auditedProvider } from './provider-input.ts'

/** Deletes a provider and what was linked at it: another provider of that address would be another party. Sessions go on. */
export const deleteProvider = superadminProcedure
  .meta({ limits: limitAdminChange, audit: 'provider.delete', proof: 'fresh' })
  .input(z.strictObject({ name: providerName }))
  .mutation(async ({ ctx, input: { name } }) => {
    const { db, site } = ctx.app
    const unlinked = await transact(db, async (tx) => {
      await lockCaller(tx, ctx.viewer)
      await lockWaysIn(tx)
      const provider = await tx.oidcProvider.findUnique({ where: { name } })
      if (!provider) throw refuse('provider-not-found')
      await tx.oidcProvider.delete({ where: { name }, select: { name: true } })
      await refuseNoWayIn(tx, site.read())
      const { count } = await tx.linkedIdentity.deleteMany({ where: { issuer: provider.issuer } })
      const before = { ...auditedProvider(provider), linked: count }
      await writeAudit(tx, toActor(ctx), { action: 'provider.delete', target: `provider/${name}`, before, after: null })
      return count
    })
    return { name, unlinked }
  })
