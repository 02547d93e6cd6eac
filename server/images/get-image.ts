import { z } from 'zod'
import { publicProcedure } from '#server/trpc/init.ts'
import { findReadable } from './find-image.ts'
import { toItem } from './image-item.ts'
import { view } from './limits.ts'
import { SLUG_PATTERN } from './slug.ts'

const input = z.union([z.strictObject({ id: z.uuid() }), z.strictObject({ slug: z.string().regex(SLUG_PATTERN) })])

/** Returns an image by ID or slug, if the viewer may read it. */
export const getImage = publicProcedure
  .meta({ limits: view, scope: 'read' })
  .input(input)
  .query(async ({ ctx, input }) => {
    const image = await findReadable(ctx.app.db, ctx.viewer, input)
    return toItem(image, ctx.viewer, ctx.app)
  })
