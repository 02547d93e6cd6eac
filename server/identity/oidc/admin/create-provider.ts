import { z } from 'zod'
import { lockCaller } from '#server/accounts/lock-caller.ts'
import { toActor, writeAudit } from '#server/audit/audit.ts'
import { transact } from '#server/database/transact.ts'
import { refuse } from '#server/errors/refuse.ts'
import { superadminProcedure } from '#server/trpc/init.ts'
import { providerTest } from '../../limits.ts'
import { lockWaysIn } from '../lock-out.ts'
import { providerName, sealClientSecret } from '../provider.ts'
import { auditedProvider, issuerText, providerShape, requireIssuer } from './provider-input.ts'

/** As many as a sign-in page can show. */
const MAX_PROVIDERS = 20

const input = z.strictObject({ name: providerName, issuer: issuerText, ...providerShape })

/** Adds a provider, after its issuer was asked what it says of itself. Throws CONFLICT if there is one of that name or issuer. */
export const createProvider = superadminProcedure
  .meta({ limits: providerTest, audit: 'provider.create', proof: 'fresh' })
  .input(input)
  .mutation(async ({ ctx, input: { clientSecret, ...given } }) => {
    const { db, config, discoveries } = ctx.app
    // As the provider spells it: its tokens are compared with that.
    const { issuer } = await discoveries.read(requireIssuer(given.issuer))
    const { name } = given
    const sealedSecret = clientSecret ? sealClientSecret(config, name, clientSecret) : null
    await transact(db, async (tx) => {
      await lockCaller(tx, ctx.viewer)
      await lockWaysIn(tx)
      const present = await tx.oidcProvider.findMany({ select: { name: true, issuer: true, position: true } })
      if (present.some((each) => each.name === name)) throw refuse('provider-name-taken')
      if (present.some((each) => each.issuer === issuer)) throw refuse('provider-issuer-taken')
      if (present.length >= MAX_PROVIDERS) throw refuse('too-many-providers', { limit: MAX_PROVIDERS })
      const position = Math.max(-1, ...present.map((each) => each.position)) + 1
      const created = await tx.oidcProvider.create({ data: { ...given, issuer, sealedSecret, position } })
      await writeAudit(tx, toActor(ctx), {
        action: 'provider.create',
        target: `provider/${name}`,
        before: null,
        after: auditedProvider(created),
      })
    })
    return { name }
  })
