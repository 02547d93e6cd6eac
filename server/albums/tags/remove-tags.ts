import { filingProcedure } from '#server/trpc/init.ts'
import { limitsFor } from '#server/trpc/limit.ts'
import { changeTags, tagsOfImages } from './change-tags.ts'
import { tagging } from './limits.ts'
import { deletePairs, findTags } from './tag-rows.ts'

/** Takes tags from images. Tags that no image has any more stay, for `tag.delete`. */
export const removeTags = filingProcedure
  .meta({
    ...limitsFor(tagsOfImages, tagging),
    scope: 'manage',
    audit: { none: 'tags file images and change nobody’s access' },
  })
  .input(tagsOfImages)
  .mutation(({ ctx, input }) =>
    changeTags(ctx, input.images, async (tx, ownerId, images) => {
      const tags = await findTags(tx, ownerId, input.tags)
      const pairs = await deletePairs(
        tx,
        images,
        tags.map(({ id }) => id),
      )
      return { tags, pairs }
    }),
  )
