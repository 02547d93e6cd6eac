import { octetInputParser } from '@trpc/server/http'
import { z } from 'zod'
import { refuse } from '#server/errors/refuse.ts'
import { brandKinds } from '#server/images/brand.ts'
import { refuseTooLarge } from '#server/images/uploading/upload-refusals.ts'
import { limitAdminChange } from '#server/limit-admin/limits.ts'
import { superadminProcedure } from '#server/trpc/init.ts'
import { requireStillValid } from '#server/trpc/late-input.ts'
import { insertImage } from './image-rows.ts'
import { spellSiteImage } from './site-image.ts'

/** Bytes of the largest logo or icon. */
const MAX_BYTES = 5 * 1024 ** 2

/** Cleans and renders a logo or an icon, which is the request's whole body; `x-site-image` says which. Returns the text that
 *  makes it the site's: send it to site.update. */
export const uploadImage = superadminProcedure
  .meta({ limits: limitAdminChange, audit: { none: 'nothing shows the image until site.update, which is recorded' } })
  .input(octetInputParser)
  .mutation(async ({ ctx, input, signal }): Promise<{ image: string }> => {
    const kind = z.enum(brandKinds).safeParse(ctx.header('x-site-image')).data
    if (kind === undefined) throw refuse('site-image-kind')
    ctx.acceptBody()
    const lane = [ctx.viewer.userId, ctx.caller.address] as const
    const received = await ctx.app.images.receiveBrand(kind, { body: input, signal, lane }, MAX_BYTES)
    if (received.outcome === 'too-large') throw refuseTooLarge('', null, MAX_BYTES)
    if (received.outcome !== 'received') throw refuse(received.outcome)
    await requireStillValid(ctx, undefined)
    return { image: spellSiteImage(await insertImage(ctx.app.db, received)) }
  })
