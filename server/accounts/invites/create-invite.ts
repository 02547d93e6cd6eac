import { z } from 'zod'
import { toActor, writeAudit } from '#server/audit/audit.ts'
import type { Transaction } from '#server/database/database.ts'
import { readDatabaseTime } from '#server/database/database-time.ts'
import { transact } from '#server/database/transact.ts'
import { refuse } from '#server/errors/refuse.ts'
import { sealSecret } from '#server/identity/seal.ts'
import { personalAdminProcedure } from '#server/trpc/init.ts'
import { emailSchema } from '../email/address.ts'
import { userAdmin } from '../limits.ts'
import { lockCaller } from '../lock-caller.ts'
import { hashInviteCode, newInviteCode } from './invite-code.ts'
import { inviteMails } from './limits.ts'
import { MAX_INVITES } from './list-invites.ts'
import { usable } from './usable-invite.ts'

const DAY_MS = 24 * 60 * 60 * 1000

const input = z.strictObject({
  uses: z.number().int().min(1).max(100).default(1),
  days: z.number().int().min(1).max(90).default(7),
  /** An address to which the invite is sent. */
  email: emailSchema.optional(),
})

/** Creates an invite for a number of sign-ups within a number of days. Its code is returned only here, and sent to an address if there is one. Throws CONFLICT at
 *  MAX_INVITES usable invites. */
export const createInvite = personalAdminProcedure
  .meta({ limits: userAdmin, audit: 'invite.create' })
  .input(input)
  .mutation(async ({ ctx, input }) => {
    const { config, db, mail, site, webhook } = ctx.app
    if (site.read().signup === 'closed') throw refuse('signup-closed')
    const { email } = input
    if (email && !site.read().mail) throw refuse('mail-off')
    if (email) await ctx.charge(inviteMails)
    const code = newInviteCode()
    const { userId, username } = ctx.viewer
    const now = Date.now()
    const data = {
      codeHash: hashInviteCode(code),
      createdById: userId,
      usesLeft: input.uses,
      expiresAt: new Date(now + input.days * DAY_MS),
    }
    const expiresAt = data.expiresAt.toISOString()
    const invite = await transact(db, async (tx) => {
      await lockCaller(tx, ctx.viewer)
      await makeRoom(tx)
      const created = await tx.invite.create({ data, select: { id: true, usesLeft: true } })
      // Without the code, which would let the receiver sign up.
      const event = { id: created.id, by: { id: userId, username }, uses: input.uses, expiresAt }
      await webhook.send(tx, { type: 'user.invited', timestamp: new Date(now).toISOString(), data: event })
      if (email) {
        const sealedCode = sealSecret(config, code, `invite/${created.id}`)
        await mail.send(tx, { kind: 'invite', email: email.text, inviteId: created.id, sealedCode, until: expiresAt })
      }
      const after = { uses: input.uses, expiresAt, ...(email && { email: email.text }) }
      const act = { action: 'invite.create', target: `invite/${created.id}`, before: null, after } as const
      await writeAudit(tx, toActor(ctx), act)
      return created
    })
    const url = `${config.origin}/signup?invite=${code}`
    /** `email` is where it is sent to; null for nowhere. */
    return { ...invite, code, url, expiresAt, email: email?.text ?? null }
  })

/** Arbitrary, but the same in every process: 'invite' in ASCII. */
const ADVISORY_LOCK = 0x696e76697465

/** Deletes unusable invites and throws CONFLICT if MAX_INVITES are left. The lock serializes concurrent calls. */
async function makeRoom(tx: Transaction): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(${ADVISORY_LOCK})`
  await tx.invite.deleteMany({ where: { NOT: usable(await readDatabaseTime(tx)) } })
  if ((await tx.invite.count()) >= MAX_INVITES) throw refuse('too-many-invites', { limit: MAX_INVITES })
}
