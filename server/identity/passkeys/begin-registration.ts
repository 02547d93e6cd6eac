import { randomBytes } from 'node:crypto'
import type { PrismaClient } from '#server/database/database.ts'
import { refuse } from '#server/errors/refuse.ts'
import { personalProcedure } from '#server/trpc/init.ts'
import { factorChange } from '../limits.ts'
import { aboutRegistration, saveChallenge } from './challenges.ts'
import { canHavePasskeys, rpIdOf } from './relying-party.ts'
import { TIMEOUT_MS } from './request-options.ts'
import { webauthn } from './webauthn.ts'

/** Begins to add a passkey to the viewer's account. Returns what to ask the browser for. */
export const beginPasskey = personalProcedure
  .meta({
    limits: factorChange,
    audit: { none: 'the passkey that follows is recorded' },
    proof: 'fresh',
    settingUp: true,
  })
  .mutation(async ({ ctx }) => {
    const { db, config, site } = ctx.app
    const { userId, username, displayName, sessionId } = ctx.viewer
    const { name: rpName, secondFactor } = site.read()
    if (secondFactor === 'off') throw refuse('factors-off')
    if (!canHavePasskeys(config)) throw refuse('passkeys-impossible', { origin: config.origin })
    const [userID, present] = await Promise.all([
      findHandle(db, userId),
      db.passkey.findMany({ where: { userId }, select: { credentialId: true, transports: true } }),
    ])
    const { generateRegistrationOptions } = await webauthn()
    // The site uses no extension, and bytes in extensions would not survive JSON.
    const { extensions: _, ...options } = await generateRegistrationOptions({
      rpName,
      rpID: rpIdOf(config),
      userID,
      userName: username,
      userDisplayName: displayName ?? username,
      excludeCredentials: present.map(({ credentialId: id, transports }) => ({ id, transports })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      timeout: TIMEOUT_MS,
    })
    await saveChallenge(db, options.challenge, aboutRegistration(sessionId ?? ''))
    return options
  })

/** Returns what authenticators know the account by. It is random, because they show it to whoever has them. */
async function findHandle(db: PrismaClient, id: string): Promise<Uint8Array<ArrayBuffer>> {
  const passkeyHandle = randomBytes(32).toString('base64url')
  await db.user.updateMany({ where: { id, passkeyHandle: null }, data: { passkeyHandle } })
  const user = await db.user.findUniqueOrThrow({ where: { id }, select: { passkeyHandle: true } })
  return Uint8Array.from(Buffer.from(user.passkeyHandle ?? '', 'base64url'))
}
