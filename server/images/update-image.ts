import { z } from 'zod'
import type { PrismaClient, Transaction } from '#server/database/database.ts'
import { transact } from '#server/database/transact.ts'
import { refuse } from '#server/errors/refuse.ts'
import { userProcedure } from '#server/trpc/init.ts'
import { isOwn } from './access.ts'
import { auditImages } from './audit-images.ts'
import type { UserContext } from './bulk/user-context.ts'
import { findEditable } from './find-image.ts'
import { toItem } from './image-item.ts'
import type { ImageRow } from './image-row.ts'
import { updateImages } from './image-rows.ts'
import { edit } from './limits.ts'
import { cleanLines, cleanText, MAX_DESCRIPTION, MAX_NAME, toTitle } from './names.ts'
import { visibilityChange } from './visibility.ts'

const input = z.strictObject({
  id: z.uuid(),
  /** Empty restores the default title. */
  title: z.string().max(2_000).transform(cleanText).pipe(z.string().max(MAX_NAME)).optional(),
  /** The title that the client is replacing. If it has changed in the meantime, the call fails with CONFLICT. */
  seenTitle: z.string().max(2_000).optional(),
  /** Plain text, whose line breaks are kept. Empty for none. */
  description: z.string().max(10_000).transform(cleanLines).pipe(z.string().max(MAX_DESCRIPTION)).optional(),
  /** As `seenTitle`. */
  seenDescription: z.string().max(10_000).optional(),
  visibility: z.enum(['private', 'link', 'public']).optional(),
})

/** Changes an image's title, description or visibility. */
export const updateImage = userProcedure
  .meta({ limits: edit, scope: 'manage', audit: 'image.update' })
  .input(input)
  .mutation(async ({ ctx, input }) => {
    const changed = await change(ctx.app.db, ctx, input)
    return toItem(changed, ctx.viewer, ctx.app)
  })

/** The change depends on the current visibility (for the slug), title and description (for conflicts). If one changes concurrently, the
 *  update matches no row and the image is read again. */
async function change(db: PrismaClient, ctx: UserContext, asked: z.output<typeof input>): Promise<ImageRow> {
  for (;;) {
    const image = await findEditable(db, ctx.viewer, asked.id)
    const data = toColumns(image, asked)
    if (isConflict(image.title, data.title, asked.seenTitle)) throw refuse('title-changed')
    if (isConflict(image.description, data.description, asked.seenDescription)) throw refuse('description-changed')
    const { id, visibility, title, description } = image
    const where = { id, visibility, title, description }
    const update = async (tx: Transaction) => {
      const [after] = await updateImages(tx, where, data)
      return after
    }
    const updateOthers = async (tx: Transaction) => {
      const after = await update(tx)
      if (after) await auditImages(tx, ctx, 'image.update', [{ before: image, after }])
      return after
    }
    const changed = await (isOwn(ctx.viewer, image) ? update(db) : transact(db, updateOthers))
    if (changed) return changed
  }
}

/** A text that already equals the wanted one is not a conflict: the client may be retrying after a lost answer. */
const isConflict = (now: string, wanted: string | undefined, seen: string | undefined): boolean =>
  wanted !== undefined && seen !== undefined && now !== seen && now !== wanted

function toColumns(image: ImageRow, { title, description, visibility }: z.output<typeof input>) {
  return {
    ...(title === undefined ? {} : { title: title || toTitle(image.filename) }),
    ...(description === undefined ? {} : { description }),
    ...(visibility === undefined ? {} : visibilityChange(image, visibility)),
  }
}
