import { z } from 'zod'
import { readDatabaseTime } from '#server/database/database-time.ts'
import { userProcedure } from '#server/trpc/init.ts'
import { remove } from './limits.ts'
import { setTrashed } from './trash.ts'

const input = z.strictObject({ id: z.uuid() })

/** Moves an image to the trash, where only its owner and admins can see it. */
export const deleteImage = userProcedure
  .meta({ limits: remove, scope: 'manage', audit: 'image.delete' })
  .input(input)
  .mutation(async ({ ctx, input }) => setTrashed(ctx, input.id, await readDatabaseTime(ctx.app.db)))
