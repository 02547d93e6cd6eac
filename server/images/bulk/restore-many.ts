import { z } from 'zod'
import { remove } from '#server/images/limits.ts'
import { userProcedure } from '#server/trpc/init.ts'
import { limitsFor } from '#server/trpc/limit.ts'
import { imageIds } from './ids.ts'
import { byNumber } from './limits.ts'
import { setTrashedMany } from './trash-many.ts'

const input = z.strictObject({ ids: imageIds })

/** Restores images from the trash, each like `image.restore`. */
export const restoreMany = userProcedure
  .meta({ ...limitsFor(input, byNumber(remove)), scope: 'manage', audit: 'image.restore' })
  .input(input)
  .mutation(({ ctx, input }) => setTrashedMany(ctx, input.ids, null))
