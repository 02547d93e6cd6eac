import { z } from 'zod'
import { timeOf } from '#server/database/time-of.ts'
import { userProcedure } from '#server/trpc/init.ts'
import { remove } from './limits.ts'
import { setTrashed } from './trash.ts'

const input = z.strictObject({ id: z.uuid() })

/** Moves an image to the trash, where nobody but its owner and the site's people sees it. */
export const deleteImage = userProcedure
  .meta({ limits: remove, scope: 'manage' })
  .input(input)
  .mutation(async ({ ctx, input }) => setTrashed(ctx, input.id, await timeOf(ctx.app.db)))
