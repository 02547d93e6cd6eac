import { z } from 'zod'
import { guestLane, viewerLane } from '#server/accounts/password-lanes.ts'
import { verifyPassword } from '#server/accounts/passwords.ts'
import { isUnlimited } from '#server/accounts/viewer.ts'
import type { PrismaClient } from '#server/database/database.ts'
import { refuse } from '#server/errors/refuse.ts'
import type { CallContext } from '#server/trpc/context.ts'
import { publicProcedure } from '#server/trpc/init.ts'
import { chargeShare } from './charge-share.ts'
import { passwordRequest, shareLookUp, wrongShareLinks } from './limits.ts'
import { hashToken } from './share-links.ts'
import { findLiveShare, type ShareRow } from './share-row.ts'
import { showShare } from './show-share.ts'

const input = z.strictObject({
  /** Malformed tokens are accepted, so that they are answered like unknown ones. */
  token: z.string().max(200),
  password: z.string().max(1_000).optional(),
  /** From an earlier answer: continues that visit, and takes no view and no password. */
  visit: z.string().max(400).optional(),
  /** `next` of the answer before. */
  from: z.int().min(0).max(1_000_000).default(0),
})

/**
 * Opens a visit to a share, and returns the first images that it shows. A mutation, so that no password stands in an address, and
 * nothing that fetches ahead takes a view. Bytes of a share with a password or a count of views need the visit as a cookie, or in
 * the header x-share-visit.
 */
export const openShare = publicProcedure
  .meta({ limits: shareLookUp, audit: { none: 'the share counts its views, and no account acts' } })
  .input(input)
  .mutation(async ({ ctx, input, signal }) => {
    const { db, sharing } = ctx.app
    const share = await findLiveShare(db, { tokenHash: hashToken(input.token) })
    if (!share) {
      await ctx.charge(wrongShareLinks)
      throw refuse('share-not-found')
    }
    const ongoing = input.visit !== undefined && sharing.visits.isOpen(share, input.visit) ? input.visit : null
    if (ongoing === null) await checkPassword(ctx, share, input.password, signal)
    await chargeShare(ctx, share)
    if (ongoing === null && !(await takeView(db, share))) throw refuse('share-not-found')
    const { visit, until } = ongoing === null ? sharing.visits.seal(share) : { visit: ongoing, until: null }
    const shown = await showShare(ctx.app, share, input.from)
    return { ...shown, visit, visitUntil: until?.toISOString() ?? null }
  })

/** Throws UNAUTHORIZED unless the password is right, and TOO_MANY_REQUESTS before any hashing. */
async function checkPassword(
  { viewer, caller, chargeFor }: CallContext,
  share: ShareRow,
  password: string | undefined,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { passwordHash } = share
  if (passwordHash === null) return
  if (!password) throw refuse('share-password')
  if (!isUnlimited(viewer)) await chargeFor([passwordRequest(share, caller)])
  const lane = viewer ? viewerLane(viewer) : guestLane(caller.address)
  if (!(await verifyPassword(passwordHash, password, { lane, signal }))) throw refuse('share-wrong-password')
}

/** Counts a view. Returns false if none is left, or the share has ended meanwhile: of two who come for the last one, one gets it. */
async function takeView(db: PrismaClient, { id }: ShareRow): Promise<boolean> {
  const counted = await db.$executeRaw`
    UPDATE "Share" SET "views" = "views" + 1
    WHERE "id" = ${id}::uuid AND ("maxViews" IS NULL OR "views" < "maxViews")
      AND ("expiresAt" IS NULL OR "expiresAt" > now())`
  return counted === 1
}
