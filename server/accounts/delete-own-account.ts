import { z } from 'zod'
import { toActor, writeAudit } from '#server/audit/audit.ts'
import { refuse } from '#server/errors/refuse.ts'
import { personalProcedure } from '#server/trpc/init.ts'
import { usernameKey } from './credentials.ts'
import { accountDeletion, accountView } from './limits.ts'
import { viewerLane } from './password-lanes.ts'
import { NO_PASSWORD } from './passwords.ts'
import { requirePassword } from './require-password.ts'
import { deleteAccount } from './users/delete-account.ts'

/** Returns what deleting the viewer's account would delete with it. */
export const previewDeletion = personalProcedure.meta({ limits: accountView }).query(async ({ ctx }) => {
  const { db, site } = ctx.app
  const { userId, role } = ctx.viewer
  const [all, trashed, tokens, sessions, invites, others, { passwordHash }] = await Promise.all([
    db.image.aggregate({ where: { ownerId: userId }, _count: true, _sum: { size: true } }),
    db.image.count({ where: { ownerId: userId, trashedAt: { not: null } } }),
    db.apiToken.count({ where: { userId } }),
    db.session.count({ where: { userId, expiresAt: { gt: new Date() } } }),
    db.invite.count({ where: { createdById: userId, usesLeft: { gt: 0 }, expiresAt: { gt: new Date() } } }),
    db.user.count({ where: { role: 'superadmin', bannedAt: null, id: { not: userId } } }),
    db.user.findUniqueOrThrow({ where: { id: userId }, select: { passwordHash: true } }),
  ])
  const images = { images: all._count, bytes: all._sum.size ?? 0, trashed }
  const isLastSuperadmin = role === 'superadmin' && others === 0
  const hasPassword = passwordHash !== NO_PASSWORD && site.read().passwords
  return { ...images, tokens, sessions, invites, isLastSuperadmin, hasPassword }
})

const input = z.strictObject({ username: z.string().max(100), password: z.string().max(1_000) })

/**
 * Deletes the viewer's account with its images, after their user name and their password, or a fresh proof if they have none. Sessions, tokens and links end at once; the
 * bytes of images are deleted by jobs, as after every permanent deletion. What the audit has recorded keeps the user name.
 */
export const deleteOwnAccount = personalProcedure
  .meta({ limits: accountDeletion, audit: 'account.delete', proof: 'password' })
  .input(input)
  .mutation(async ({ ctx, input, signal }) => {
    const { db } = ctx.app
    const { userId: id, username } = ctx.viewer
    if (usernameKey(input.username.trim()) !== usernameKey(username)) throw refuse('wrong-username')
    const { passwordHash } = await db.user.findUniqueOrThrow({ where: { id }, select: { passwordHash: true } })
    const turn = { lane: viewerLane(ctx.viewer), signal }
    await requirePassword(ctx, passwordHash, { password: input.password, turn })
    await deleteAccount(ctx.app, ctx.viewer, {
      id,
      record: async (tx, user, images) => {
        // It may have been changed since, by someone who has noticed an abuse.
        if ((await tx.user.count({ where: { id, passwordHash } })) === 0) throw refuse('wrong-current-password')
        const before = { role: user.role, shared: user.shared, images }
        const act = { action: 'account.delete', target: `user/${id}`, account: user } as const
        await writeAudit(tx, toActor(ctx), { ...act, before, after: null })
      },
    })
    return { username }
  })
