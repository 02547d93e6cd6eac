import { z } from 'zod'
import { cleanLine } from '#server/accounts/profile/clean-line.ts'
import { invalid } from '#server/errors/invalid.ts'
import { tagKey } from '#server/images/tag-name.ts'
import { userProcedure } from '#server/trpc/init.ts'
import { tagView } from './limits.ts'
import { countImages } from './tag-counts.ts'

const input = z.strictObject({
  /** A part of the name: tags that begin with it come first. */
  text: z.string().max(1_000).transform(cleanLine).default(''),
  limit: z.int().min(1).max(100).default(50),
  /** The `nextCursor` of the page before. */
  cursor: z
    .string()
    .max(2_000)
    .refine((key) => !key.includes('\0'), invalid('cursor'))
    .optional(),
})

const rows = z.array(z.object({ id: z.string(), name: z.string(), nameKey: z.string() }))

/** Returns the viewer's tags in the order of their names, with how many images outside the trash have each. */
export const listTags = userProcedure
  .meta({ limits: tagView, scope: 'read' })
  .input(input.prefault({}))
  .query(async ({ ctx, input }) => {
    const { db } = ctx.app
    const [wanted, after] = [tagKey(input.text), input.cursor ?? null]
    const found = rows.parse(
      await db.$queryRaw`
        SELECT "id"::text, "name", "nameKey" FROM "Tag"
        WHERE "ownerId" = ${ctx.viewer.userId}::uuid AND strpos("nameKey", ${wanted}) > 0
          AND (${after}::text IS NULL OR
            (NOT starts_with("nameKey", ${wanted}), "nameKey" COLLATE "C")
              > (NOT starts_with(${after}::text, ${wanted}), ${after}::text COLLATE "C"))
        ORDER BY NOT starts_with("nameKey", ${wanted}), "nameKey" COLLATE "C"
        LIMIT ${input.limit + 1}`,
    )
    const page = found.slice(0, input.limit)
    return {
      items: await countImages(db, page),
      nextCursor: found.length > page.length ? (page.at(-1)?.nameKey ?? null) : null,
    }
  })
