import { z } from 'zod'
import { toActor, writeAudit } from '#server/audit/audit.ts'
import { transact } from '#server/database/transact.ts'
import { auditedState } from '#server/images/audit-images.ts'
import { notFound } from '#server/images/find-image.ts'
import { updateImages } from '#server/images/image-rows.ts'
import { personalAdminProcedure } from '#server/trpc/init.ts'
import { guestDecision } from './limits.ts'
import { toGuestVisibility } from './upload-as-guest.ts'

/** Shows a guest's image at the address that the guest was given: `{ id }`, the image's ID. */
export const approveGuest = personalAdminProcedure
  .meta({ limits: guestDecision, audit: 'guest.approve' })
  .input(z.strictObject({ id: z.uuid() }))
  .mutation(async ({ ctx, input: { id } }) => {
    const visibility = toGuestVisibility(ctx.app.site.read().defaultVisibility)
    await transact(ctx.app.db, async (tx) => {
      const where = { id, awaitsApproval: true, trashedAt: null }
      const [image] = await updateImages(tx, where, { awaitsApproval: false, visibility })
      if (!image) throw notFound()
      await writeAudit(tx, toActor(ctx), {
        action: 'guest.approve',
        target: `image/${id}`,
        account: image.owner,
        before: auditedState({ ...image, visibility: 'private' }),
        after: auditedState(image),
      })
    })
    ctx.app.metrics.add('sluice_guest_uploads_total', 'approved')
    return { id }
  })
