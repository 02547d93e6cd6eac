import { z } from 'zod'
import type { Transaction } from '#server/database/database.ts'
import { transact } from '#server/database/transact.ts'
import { refuse } from '#server/errors/refuse.ts'
import { tagKey, tagName } from '#server/images/tag-name.ts'
import { personalProcedure } from '#server/trpc/init.ts'
import { tagEdit } from './limits.ts'
import { lockTag, ownTag, tagId } from './lock-tag.ts'
import { countImages } from './tag-counts.ts'
import { BATCH, mergeAll, tagMerge } from './tag-merge.ts'

const change = {
  name: tagName,
  /** What to do if another tag has that name already. */
  existing: z.enum(['merge', 'refuse']).default('merge'),
}
const input = z.union([tagId.extend(change), ownTag.extend(change)])

/** Renames a tag. If another one has that name, all images of this one get that one, and this one is deleted: the answer is the
 *  tag that remains, and `merged` says which of the two has happened. A tag of many images is merged by a job: `isMerging` says so,
 *  and until then both exist. */
export const renameTag = personalProcedure
  .meta({ limits: tagEdit, scope: 'manage', audit: { none: 'tags file images and change nobody’s access' } })
  .input(input)
  .mutation(({ ctx, input }) => {
    const { name, existing } = input
    return transact(ctx.app.db, async (tx) => {
      const tag = await lockTag(tx, ctx.viewer, input)
      const { ownerId } = tag
      const nameKey = tagKey(name)
      const select = { id: true, name: true } as const
      const other = await tx.tag.findFirst({ where: { ownerId, nameKey, id: { not: tag.id } }, select })
      if (other && existing === 'refuse') throw refuse('tag-exists', { name: other.name })
      const isMerging = other !== null && (await isLarge(tx, tag.id))
      const merge = other && { ownerId, from: tag.id, fromKey: tagKey(tag.name), to: other.id }
      if (!merge) await tx.tag.update({ where: { id: tag.id }, data: { name, nameKey }, select })
      else if (isMerging) await ctx.app.jobs.send(tx, tagMerge, [{ data: merge, key: tag.id }])
      else await mergeAll(tx, merge)
      const [remaining] = await countImages(tx, [other ?? { id: tag.id, name }])
      if (!remaining) throw refuse('tag-not-found')
      return { ...remaining, merged: other !== null, isMerging }
    })
  })

const isLarge = async (tx: Transaction, tagId: string): Promise<boolean> =>
  (await tx.imageTag.findMany({ where: { tagId }, select: { imageId: true }, take: BATCH })).length === BATCH
