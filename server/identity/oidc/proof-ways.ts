import { z } from 'zod'
import { accountView } from '#server/accounts/limits.ts'
import { NO_PASSWORD } from '#server/accounts/passwords.ts'
import type { PrismaClient } from '#server/database/database.ts'
import { refuse } from '#server/errors/refuse.ts'
import { personalProcedure } from '#server/trpc/init.ts'
import { proving } from '../limits.ts'
import { findProvider, type ProviderButton, providerName } from './provider.ts'
import { roundPath } from './round-token.ts'

/** Returns by what the viewer can prove who they are: the password, or their providers if they have none that signs in here. */
export const proofWays = personalProcedure.meta({ limits: accountView, settingUp: true }).query(async ({ ctx }) => {
  const { db, site } = ctx.app
  const { userId } = ctx.viewer
  const hasPassword = site.read().passwords && (await ownsPassword(db, userId))
  return { password: hasPassword, providers: hasPassword ? [] : await listLinked(db, userId) }
})

/** Returns whether an account has a password. */
export async function ownsPassword(db: PrismaClient, id: string): Promise<boolean> {
  const { passwordHash } = await db.user.findUniqueOrThrow({ where: { id }, select: { passwordHash: true } })
  return passwordHash !== NO_PASSWORD
}

async function listLinked(db: PrismaClient, userId: string): Promise<readonly ProviderButton[]> {
  const identities = await db.linkedIdentity.findMany({ where: { userId }, select: { issuer: true } })
  return db.oidcProvider.findMany({
    where: { isEnabled: true, issuer: { in: identities.map(({ issuer }) => issuer) } },
    orderBy: [{ position: 'asc' }, { name: 'asc' }],
    select: { name: true, label: true },
  })
}

/** Returns the path that leads the viewer to a provider, which asks them to sign in again: a proof of who uses the session. */
export const beginProof = personalProcedure
  .meta({
    limits: proving,
    audit: { none: 'it changes nothing' },
    settingUp: true,
  })
  .input(z.strictObject({ provider: providerName }))
  .mutation(async ({ ctx, input }) => {
    const { db, config } = ctx.app
    const { sessionId } = ctx.viewer
    if (sessionId === null) throw refuse('signed-out')
    const { name } = await findProvider(db, input.provider)
    return { path: roundPath(config, name, { purpose: 'proof', sessionId }) }
  })
