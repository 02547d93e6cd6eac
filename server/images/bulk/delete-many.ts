import { z } from 'zod'
import { readDatabaseTime } from '#server/database/database-time.ts'
import { remove } from '#server/images/limits.ts'
import { userProcedure } from '#server/trpc/init.ts'
import { limitsFor } from '#server/trpc/limit.ts'
import { imageIds } from './ids.ts'
import { byNumber } from './limits.ts'
import { setTrashedMany } from './trash-many.ts'

const input = z.strictObject({ ids: imageIds })

/** Moves images to the trash, each like `image.delete`. */
export const deleteMany = userProcedure
  .meta({ ...limitsFor(input, byNumber(remove)), scope: 'manage', audit: 'image.delete' })
  .input(input)
  .mutation(async ({ ctx, input }) => setTrashedMany(ctx, input.ids, await readDatabaseTime(ctx.app.db)))
