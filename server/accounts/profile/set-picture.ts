import { octetInputParser } from '@trpc/server/http'
import { ownAccount, toActor, writeAudit } from '#server/audit/audit.ts'
import type { Transaction } from '#server/database/database.ts'
import { transact } from '#server/database/transact.ts'
import { refuse } from '#server/errors/refuse.ts'
import type { CallContext } from '#server/trpc/context.ts'
import { personalProcedure } from '#server/trpc/init.ts'
import { lockCaller } from '../lock-caller.ts'
import type { Viewer } from '../viewer.ts'
import { pictureUpload, profileChange } from './limits.ts'
import { MAX_PICTURE_BYTES, picturePath, replacePicture } from './picture.ts'

/** Sets the viewer's picture from an image, which is the request's whole body: cleaned and decoded like every image, then cropped
 *  to a small square, of which alone the bytes are kept. */
export const setPicture = personalProcedure
  .meta({ limits: pictureUpload, audit: 'account.setPicture' })
  .input(octetInputParser)
  .mutation(async ({ ctx, input, signal }) => {
    if (Number(ctx.header('content-length')) > MAX_PICTURE_BYTES) throw tooLarge()
    ctx.acceptBody()
    const lane = [ctx.viewer.userId, ctx.caller.address] as const
    const received = await ctx.app.images.receiveSquare({ body: input, signal, lane, maxBytes: MAX_PICTURE_BYTES })
    if (received.outcome === 'too-large') throw tooLarge()
    if (received.outcome !== 'received') throw refuse(received.outcome)
    return change(ctx, 'account.setPicture', (tx, userId) => replacePicture(tx, userId, received.bytes))
  })

/** Removes the viewer's picture. */
export const removePicture = personalProcedure
  .meta({ limits: profileChange, audit: 'account.removePicture' })
  .mutation(({ ctx }) => change(ctx, 'account.removePicture', (tx, userId) => replacePicture(tx, userId, null)))

type Replacing = (tx: Transaction, userId: string) => ReturnType<typeof replacePicture>

function change(
  ctx: CallContext & { readonly viewer: Viewer },
  action: 'account.setPicture' | 'account.removePicture',
  replace: Replacing,
) {
  const { userId } = ctx.viewer
  return transact(ctx.app.db, async (tx) => {
    await lockCaller(tx, ctx.viewer)
    const { before, after } = await replace(tx, userId)
    const act = { action, target: `user/${userId}`, account: ownAccount(ctx.viewer) }
    const states = {
      before: before === null ? null : { picture: before },
      after: after === null ? null : { picture: after },
    }
    if (before !== after) await writeAudit(tx, toActor(ctx), { ...act, ...states })
    return { picture: picturePath(after) }
  })
}

const tooLarge = () => refuse('too-large-unknown-nameless', { limit: { bytes: MAX_PICTURE_BYTES } })
