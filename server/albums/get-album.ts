import { z } from 'zod'
import { view } from '#server/images/limits.ts'
import { SLUG_PATTERN } from '#server/images/slug.ts'
import { publicProcedure } from '#server/trpc/init.ts'
import { toItem } from './album-item.ts'
import { findReadable } from './find-album.ts'

const input = z.union([z.strictObject({ id: z.uuid() }), z.strictObject({ slug: z.string().regex(SLUG_PATTERN) })])

/** Returns an album by ID or slug, if the viewer may read it. */
export const getAlbum = publicProcedure
  .meta({ limits: view, scope: 'read' })
  .input(input)
  .query(async ({ ctx, input }) => toItem(await findReadable(ctx.app.db, ctx.viewer, input), ctx.viewer, ctx.app))
