import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { transact } from '#server/database/transact.ts'
import { personalProcedure } from '#server/trpc/init.ts'
import { limitsFor } from '#server/trpc/limit.ts'
import { settingsInput, targetInput } from './input.ts'
import { insertShare, lockOwner, shareOwner } from './insert-share.ts'
import { shareCreation } from './limits.ts'
import { toColumns } from './share-settings.ts'

const input = z.strictObject({ target: targetInput, ...settingsInput })

/** Shares images or an album of the viewer by a new link; a superadmin, those of anybody, whose share it is then. Their visibility
 *  stays as it is. */
export const createShare = personalProcedure
  .meta({ ...limitsFor(input, shareCreation), scope: 'manage', audit: 'share.create' })
  .input(input)
  .mutation(async ({ ctx, input: { target, ...settings } }) => {
    const { db, sharing } = ctx.app
    const id = randomUUID()
    const { url, ...link } = sharing.links.make(id)
    const columns = await toColumns(ctx, id, settings)
    const shown =
      'album' in target ? target : { images: target.images.map((image, position) => ({ id: image, position })) }
    await transact(db, async (tx) => {
      const owner = await shareOwner(tx, ctx.viewer, shown)
      await lockOwner(tx, owner.id)
      await insertShare(tx, ctx, owner, { id, ...link, ...columns }, shown)
    })
    return { id, url }
  })
