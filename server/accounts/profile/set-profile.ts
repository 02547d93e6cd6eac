import { z } from 'zod'
import { ownAccount, toActor, writeAudit } from '#server/audit/audit.ts'
import type { Transaction } from '#server/database/database.ts'
import { transact } from '#server/database/transact.ts'
import { refuse } from '#server/errors/refuse.ts'
import { personalProcedure } from '#server/trpc/init.ts'
import { Prisma } from '../../../generated/prisma/client.ts'
import { lockCaller } from '../lock-caller.ts'
import { showsUsername, soundsOfficial } from './display-name.ts'
import { profileChange } from './limits.ts'
import { profileColumns } from './own-profile.ts'
import { profileLineSchema, profileNameSchema } from './profile-name.ts'

const input = z.strictObject({ isOpen: z.boolean(), name: profileNameSchema, line: profileLineSchema })

/** Opens, changes or closes the viewer's profile. While it is closed its name stays theirs. Returns it as it was cleaned. */
export const setProfile = personalProcedure
  .meta({ limits: profileChange, audit: 'account.setProfile' })
  .input(input)
  .mutation(({ ctx, input: after }) => {
    const { userId, username } = ctx.viewer
    if (showsUsername(after.name, username)) throw refuse('profile-name-is-username')
    if (soundsOfficial(after.name, ctx.app.site.read().name)) throw refuse('display-name-official')
    return transact(ctx.app.db, async (tx) => {
      await lockCaller(tx, ctx.viewer)
      const before = await tx.profile.findUnique({ where: { userId }, select: profileColumns })
      await write(tx, userId, after)
      const act = { action: 'account.setProfile', target: `user/${userId}`, account: ownAccount(ctx.viewer) } as const
      const isSame = before?.isOpen === after.isOpen && before.name === after.name && before.line === after.line
      if (!isSame)
        await writeAudit(tx, toActor(ctx), { ...act, before: before && audited(before), after: audited(after) })
      return { ...after, previous: before }
    })
  })

const audited = ({ isOpen, name, line }: z.output<typeof input>) => ({
  ...{ profileOpen: isOpen, profileName: name, profileLine: line },
})

/** Throws CONFLICT for a name that another user has. */
async function write(tx: Transaction, userId: string, profile: z.output<typeof input>): Promise<void> {
  try {
    await tx.profile.upsert({
      where: { userId },
      create: { userId, ...profile },
      update: profile,
      select: { userId: true },
    })
  } catch (error) {
    const isTaken = error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002'
    throw isTaken ? refuse('profile-name-taken') : error
  }
}
