import { z } from 'zod'
import { refuse } from '#server/errors/refuse.ts'
import { personalProcedure } from '#server/trpc/init.ts'
import { factorChange } from '../limits.ts'
import { findProvider, providerName } from './provider.ts'
import { roundPath } from './round-token.ts'

/** Returns the path that leads the viewer to a provider, to link their account there to this one. */
export const beginLink = personalProcedure
  .meta({ limits: factorChange, audit: { none: 'nothing is linked before the provider has answered' }, proof: 'fresh' })
  .input(z.strictObject({ provider: providerName }))
  .mutation(async ({ ctx, input }) => {
    const { db, config } = ctx.app
    const { sessionId } = ctx.viewer
    if (sessionId === null) throw refuse('signed-out')
    const { name } = await findProvider(db, input.provider)
    return { path: roundPath(config, name, { purpose: 'link', sessionId }) }
  })
