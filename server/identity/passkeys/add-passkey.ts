import { TRPCError } from '@trpc/server'
import { z } from 'zod'
import { lockCaller } from '#server/accounts/lock-caller.ts'
import { ownAccount, toActor, writeAudit } from '#server/audit/audit.ts'
import { transact } from '#server/database/transact.ts'
import { refuse } from '#server/errors/refuse.ts'
import { personalProcedure } from '#server/trpc/init.ts'
import { readFactors } from '../factors.ts'
import { factorChange } from '../limits.ts'
import { createRecoveryCodes } from '../second-step/recovery.ts'
import { MAX_ANSWER, readAttestation } from './answer.ts'
import { aboutRegistration, spendChallenge } from './challenges.ts'
import { nameOfManager, passkeyName } from './name.ts'
import { rpIdOf } from './relying-party.ts'
import { verifyAttestation } from './verify.ts'

/** Passkeys per account. */
export const MAX_PASSKEYS = 20

const input = z.strictObject({
  answer: z.string().max(MAX_ANSWER),
  /** The name for a passkey that does not state what keeps it, such as the browser's. */
  name: passkeyName,
})

/** Adds the passkey that the browser has made to the viewer's account. Returns its name; and recovery codes, which are shown once, if the
 *  account had none. */
export const addPasskey = personalProcedure
  .meta({ limits: factorChange, audit: 'account.addPasskey', proof: 'fresh', settingUp: true })
  .input(input)
  .mutation(async ({ ctx, input }) => {
    const { db, config, site } = ctx.app
    const { userId, sessionId } = ctx.viewer
    if (site.read().secondFactor === 'off') throw refuse('factors-off')
    const answer = readAttestation(input.answer)
    if (!answer) throw refuse('wrong-passkey')
    const about = aboutRegistration(sessionId ?? '')
    if (!(await spendChallenge(db, answer.challenge, about))) throw refuse('passkey-expired')
    const registered = await verifyAttestation(config, answer)
    if (registered instanceof TRPCError) throw registered
    const { aaguid, credential, credentialBackedUp: isBackedUp } = registered
    const data = {
      credentialId: credential.id,
      publicKey: credential.publicKey,
      counter: BigInt(credential.counter),
      transports: answer.response.transports,
      rpId: rpIdOf(config),
      name: nameOfManager(aaguid) ?? input.name,
      isBackedUp,
    }
    return transact(db, async (tx) => {
      await lockCaller(tx, ctx.viewer)
      const before = await readFactors(tx, userId)
      if (before.passkeys >= MAX_PASSKEYS) throw refuse('too-many-passkeys', { limit: MAX_PASSKEYS })
      const { credentialId } = data
      if ((await tx.passkey.count({ where: { credentialId } })) > 0) throw refuse('passkey-present')
      const { id } = await tx.passkey.create({ data: { userId, ...data }, select: { id: true } })
      await writeAudit(tx, toActor(ctx), {
        action: 'account.addPasskey',
        target: `passkey/${id}`,
        account: ownAccount(ctx.viewer),
        before: null,
        after: { name: data.name, isBackedUp },
      })
      await ctx.app.mail.note(tx, toActor(ctx), 'passkey-added')
      const recoveryCodes = before.recoveryCodes === 0 ? await createRecoveryCodes(tx, userId) : null
      return { id, name: data.name, recoveryCodes }
    })
  })
