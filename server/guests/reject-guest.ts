import { z } from 'zod'
import { toActor, writeAudit } from '#server/audit/audit.ts'
import { auditedState } from '#server/images/audit-images.ts'
import { notFound } from '#server/images/find-image.ts'
import { personalAdminProcedure } from '#server/trpc/init.ts'
import { removeGuestAccount } from './guest-purge.ts'
import { guestDecision } from './limits.ts'

/** Permanently deletes a guest's image that waits for approval: `{ id }`, the image's ID. */
export const rejectGuest = personalAdminProcedure
  .meta({ limits: guestDecision, audit: 'guest.reject' })
  .input(z.strictObject({ id: z.uuid() }))
  .mutation(async ({ ctx, input: { id } }) => {
    const { db, images } = ctx.app
    const image = await db.image.findFirst({
      where: { id, awaitsApproval: true, trashedAt: null },
      select: {
        ownerId: true,
        title: true,
        visibility: true,
        trashedAt: true,
        owner: { select: { id: true, username: true } },
      },
    })
    if (!image) throw notFound()
    const waits = { images: { some: { id, awaitsApproval: true } } }
    const isGone = await removeGuestAccount({ db, images }, { id: image.ownerId, where: waits }, (tx) =>
      writeAudit(tx, toActor(ctx), {
        action: 'guest.reject',
        target: `image/${id}`,
        account: image.owner,
        before: auditedState(image),
        after: null,
      }),
    )
    if (!isGone) throw notFound()
    ctx.app.metrics.add('sluice_guest_uploads_total', 'rejected')
    return { id }
  })
