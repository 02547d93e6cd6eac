import { z } from 'zod'
import { userProcedure } from '#server/trpc/init.ts'
import { remove } from './limits.ts'
import { setTrashed } from './trash.ts'

const input = z.strictObject({ id: z.uuid() })

/** Restores an image from the trash. */
export const restoreImage = userProcedure
  .meta({ limits: remove, scope: 'manage', audit: 'image.restore' })
  .input(input)
  .mutation(({ ctx, input }) => setTrashed(ctx, input.id, null))
