import { octetInputParser } from '@trpc/server/http'
import { z } from 'zod'
import type { Viewer } from '#server/accounts/viewer.ts'
import { type Filing, fileUpload, readFiling } from '#server/albums/upload-into.ts'
import { refuse } from '#server/errors/refuse.ts'
import type { CallContext, Context } from '#server/trpc/context.ts'
import { userProcedure } from '#server/trpc/init.ts'
import { requireStillValid } from '#server/trpc/late-input.ts'
import { upload } from '../limits.ts'
import { decodeHeader } from '../names.ts'
import { hasRoom, refuseOverQuota } from '../storing/quota.ts'
import type { Visibility, VisibilityWish } from '../visibility.ts'
import { countUpload } from './count-upload.ts'
import { receiveBody, statedFile } from './receive-body.ts'
import type { Upload } from './receive-upload.ts'
import { type UploadAnswer, uploadAnswer } from './upload-answer.ts'

const visibilities = z.enum(['private', 'link', 'public'])

/**
 * Uploads one file, which is the request's whole body: first it is received, then stored. Its name is in x-file-name,
 * URI-encoded, and so are those in x-album (an album's ID or title) and x-tags (separated by commas). A file of a form is stored
 * when the form has ended, because a later field may still apply to it.
 */
export const uploadImage = userProcedure
  .meta({ limits: upload, scope: 'upload', audit: { none: 'it adds to the own images' } })
  .input(octetInputParser)
  .mutation(({ ctx, input, signal }) => countUpload(ctx.app.metrics, () => uploadTo(ctx, { body: input, signal })))

async function uploadTo(ctx: CallOfUser, sent: Pick<Upload, 'body' | 'signal'>): Promise<UploadAnswer> {
  const { viewer, app, form } = ctx
  const { filename, wish, filing } = await receivable(ctx, viewer)
  // The people of a shared account take turns too.
  const lane = [viewer.userId, ctx.caller.address] as const
  await using received = await receiveBody(ctx, { ...sent, filename, lane })
  const store = async (filename: string, wish: VisibilityWish, filing: Filing) => {
    await requireSender(ctx)
    const stored = await app.images.storeReceived(received, { ownerId: viewer.userId, filename, wish })
    if (stored.outcome === 'stored') await fileUpload(ctx, filing, stored.image.id)
    return stored
  }
  const stored = form
    ? await form.whenEnded(async (said) =>
        store(said.filename, toWish(said.visibility, viewer, said.otherwise), await readFiling(ctx, said)),
      )
    : await store(filename, wish, filing)
  if (stored.outcome === 'over-quota') throw refuseOverQuota(stored.room, stored.size)
  if (stored.outcome !== 'stored') throw refuse(stored.outcome)
  return uploadAnswer(stored.image, { ...received, isNew: stored.isNew }, app.config.origin)
}

/** Throws if the session or token has ended since the head, which may be minutes ago, and says so of a banned or deleted account. */
async function requireSender(ctx: CallOfUser): Promise<void> {
  await requireStillValid(ctx, 'upload').catch(async (error) => {
    throw (await ctx.app.images.readRoom(ctx.viewer.userId)) ? error : refuse('owner-gone')
  })
}

type CallOfUser = CallContext & { readonly viewer: Viewer }

/** Reads the head, before the body is accepted. Throws if the file must be refused by then, or its owner's quota is used up;
 *  no bytes are charged in that case. */
async function receivable(ctx: CallOfUser, viewer: Viewer) {
  try {
    const wish = { album: decodeHeader(ctx.header('x-album')), tags: decodeHeader(ctx.header('x-tags')) }
    const stated = { ...readHeaders(ctx, viewer), filing: await readFiling(ctx, wish) }
    const room = await ctx.app.images.readRoom(viewer.userId)
    if (room && !hasRoom(room, 1)) throw refuseOverQuota(room, null)
    return stated
  } catch (error) {
    await ctx.settle(0)
    throw error
  }
}

function readHeaders(ctx: Context, viewer: Viewer) {
  const { filename } = statedFile(ctx)
  return { filename, wish: toWish(ctx.header('x-visibility'), viewer, ctx.app.site.read().defaultVisibility) }
}

/**
 * Returns how an upload's requested visibility applies. It is also applied to an existing image, or refused if the token may not
 * change images. Throws BAD_REQUEST.
 */
function toWish(asked: string | undefined, { token }: Viewer, otherwise: Visibility): VisibilityWish {
  if (asked === undefined) return { visibility: otherwise, ofKnown: 'stays' }
  const { success, data } = visibilities.safeParse(asked)
  if (!success) throw refuse('bad-visibility')
  const mayChange = token === null || token.scopes.includes('manage')
  return { visibility: data, ofKnown: mayChange ? 'becomes' : 'must-be' }
}
