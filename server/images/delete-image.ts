import { z } from 'zod'
import { userProcedure } from '#server/trpc/init.ts'
import { remove } from './limits.ts'
import { setTrashed } from './trash.ts'

const input = z.strictObject({ id: z.uuid() })

/** Moves an image to the trash, where nobody but its owner and the site's people sees it. */
export const deleteImage = userProcedure
  .meta({ limits: remove, scope: 'manage' })
  .input(input)
  .mutation(({ ctx, input }) => setTrashed(ctx, input.id, new Date()))
