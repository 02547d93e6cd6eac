import { refuse } from '#server/errors/refuse.ts'
import { personalProcedure } from '#server/trpc/init.ts'
import { factorChange } from '../limits.ts'
import { createTotpSecret, totpUri } from './codes.ts'
import { sealSetUp } from './set-up.ts'

/** Returns a new secret for the viewer's authenticator app, as text and as its QR code's address, and what `confirmTotp` needs. */
export const beginTotp = personalProcedure
  .meta({
    limits: factorChange,
    audit: { none: 'nothing is stored before the first right code' },
    proof: 'fresh',
    settingUp: true,
  })
  .mutation(async ({ ctx }) => {
    const { db, config, site } = ctx.app
    const { userId, username } = ctx.viewer
    const { name, secondFactor } = site.read()
    if (secondFactor === 'off') throw refuse('factors-off')
    const present = await db.totpFactor.findUnique({ where: { userId }, select: { createdAt: true } })
    const secret = createTotpSecret()
    const setUp = sealSetUp(config, { userId, since: present?.createdAt ?? null }, secret)
    return { secret, uri: totpUri(secret, { issuer: name, username }), setUp }
  })
