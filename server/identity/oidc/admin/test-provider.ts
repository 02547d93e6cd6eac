import { z } from 'zod'
import { superadminProcedure } from '#server/trpc/init.ts'
import { providerTest } from '../../limits.ts'
import { issuerText, requireIssuer } from './provider-input.ts'

/** Asks an issuer what it says of itself. Throws what is wrong with it. */
export const testProvider = superadminProcedure
  .meta({ limits: providerTest, audit: { none: 'it changes nothing' }, proof: 'fresh' })
  .input(z.strictObject({ issuer: issuerText }))
  .mutation(async ({ ctx, input }) => {
    const metadata = await ctx.app.discoveries.read(requireIssuer(input.issuer))
    return {
      issuer: metadata.issuer,
      /** Whether it can end its session when somebody signs out here. */
      endsSession: metadata.end_session_endpoint !== undefined,
    }
  })
