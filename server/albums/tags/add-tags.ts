import type { z } from 'zod'
import type { UserContext } from '#server/images/bulk/user-context.ts'
import { filingProcedure } from '#server/trpc/init.ts'
import { limitsFor } from '#server/trpc/limit.ts'
import { changeTags, tagsOfImages } from './change-tags.ts'
import { tagging } from './limits.ts'
import { findFull, findOrCreateTags, insertPairs } from './tag-rows.ts'

/** Gives images tags of their owner, and creates those that do not exist. */
export const addTags = filingProcedure
  .meta({
    ...limitsFor(tagsOfImages, tagging),
    scope: 'manage',
    audit: { none: 'tags file images and change nobody’s access' },
  })
  .input(tagsOfImages)
  .mutation(({ ctx, input }) => giveTags(ctx, input))

export const giveTags = (ctx: UserContext, { images, tags: names }: z.output<typeof tagsOfImages>) =>
  changeTags(ctx, images, async (tx, ownerId, own) => {
    const tags = await findOrCreateTags(tx, ownerId, names)
    const ids = tags.map(({ id }) => id)
    const full = await findFull(tx, own, ids)
    const roomy = own.filter((id) => !full.has(id))
    return { tags, full, pairs: await insertPairs(tx, roomy, ids) }
  })
