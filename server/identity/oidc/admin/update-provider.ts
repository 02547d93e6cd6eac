import { z } from 'zod'
import { lockCaller } from '#server/accounts/lock-caller.ts'
import { toActor, writeAudit } from '#server/audit/audit.ts'
import { transact } from '#server/database/transact.ts'
import { refuse } from '#server/errors/refuse.ts'
import { superadminProcedure } from '#server/trpc/init.ts'
import { providerTest } from '../../limits.ts'
import { lockWaysIn, refuseNoWayIn } from '../lock-out.ts'
import { providerName, sealClientSecret } from '../provider.ts'
import { auditedProvider, providerShape } from './provider-input.ts'

const input = z.strictObject({
  name: providerName,
  /** The version that was shown. */
  version: z.int().min(1),
  ...providerShape,
})

/** Changes a provider, unless somebody has done so since `version`. Asks an enabled one what it says of itself first, so that a wrong one
 *  is noticed here rather than by those who sign in. */
export const updateProvider = superadminProcedure
  .meta({ limits: providerTest, audit: 'provider.update', proof: 'fresh' })
  .input(input)
  .mutation(async ({ ctx, input: { name, version, clientSecret, ...given } }) => {
    const { db, config, discoveries, site } = ctx.app
    const known = await db.oidcProvider.findUnique({ where: { name }, select: { issuer: true } })
    if (!known) throw refuse('provider-not-found')
    if (given.isEnabled) await discoveries.read(new URL(known.issuer))
    const sealedSecret = clientSecret ? sealClientSecret(config, name, clientSecret) : clientSecret
    const secret = sealedSecret === undefined ? {} : { sealedSecret }
    const changed = await transact(db, async (tx) => {
      await lockCaller(tx, ctx.viewer)
      await lockWaysIn(tx)
      const before = await tx.oidcProvider.findUnique({ where: { name } })
      if (!before) throw refuse('provider-not-found')
      if (before.version !== version) throw refuse('provider-changed')
      const after = await tx.oidcProvider.update({
        where: { name },
        data: { ...given, ...secret, version: version + 1 },
      })
      await refuseNoWayIn(tx, site.read())
      const states = { before: auditedProvider(before), after: auditedProvider(after) }
      await writeAudit(tx, toActor(ctx), { action: 'provider.update', target: `provider/${name}`, ...states })
      return after
    })
    return { name, version: changed.version }
  })
