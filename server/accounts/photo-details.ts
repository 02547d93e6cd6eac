import { z } from 'zod'
import { personalProcedure } from '#server/trpc/init.ts'
import { accountView, preferenceChange } from './limits.ts'

/** Whether uploads keep the date taken and the camera of their metadata, and how many images have one of them. */
export const photoDetails = personalProcedure.meta({ limits: accountView }).query(async ({ ctx: { app, viewer } }) => {
  const { keepsPhotoDetails } = await app.db.user.findUniqueOrThrow({
    where: { id: viewer.userId },
    select: { keepsPhotoDetails: true },
  })
  const where = { ownerId: viewer.userId, OR: [{ takenAt: { not: null } }, { camera: { not: null } }] }
  return { keeps: keepsPhotoDetails, kept: await app.db.image.count({ where }) }
})

/** Chooses whether the viewer's uploads keep them from now on. What is kept stays. */
export const setPhotoDetails = personalProcedure
  .meta({ limits: preferenceChange, audit: { none: 'it changes only what own uploads keep' } })
  .input(z.strictObject({ keeps: z.boolean() }))
  .mutation(async ({ ctx: { app, viewer }, input: { keeps } }) => {
    const data = { keepsPhotoDetails: keeps }
    await app.db.user.update({ where: { id: viewer.userId }, data, select: { id: true } })
    return { keeps }
  })

/** Deletes what is kept, of all images of the viewer. The files never had it. */
export const forgetPhotoDetails = personalProcedure
  .meta({ limits: preferenceChange, audit: { none: 'it changes only the own images' } })
  .mutation(async ({ ctx: { app, viewer } }) => ({ forgotten: await app.images.forgetPhotoDetails(viewer.userId) }))
