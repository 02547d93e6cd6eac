import { octetInputParser } from '@trpc/server/http'
import { z } from 'zod'
import type { Viewer } from '#server/accounts/viewer.ts'
import type { Removed } from '#server/cleaning/cleaning.ts'
import { refuse } from '#server/errors/refuse.ts'
import type { CallContext, Context } from '#server/trpc/context.ts'
import { userProcedure } from '#server/trpc/init.ts'
import type { Lane } from '#server/turns/lanes.ts'
import type { ImageRow } from '../image-row.ts'
import { imageUrl, thumbnailUrl } from '../image-url.ts'
import { upload } from '../limits.ts'
import { parseFileName } from '../names.ts'
import { hasRoom, refuseOverQuota } from '../storing/quota.ts'
import type { Visibility, VisibilityWish } from '../visibility.ts'
import type { ReceivedUpload, Upload } from './receive-upload.ts'
import { refuseTooLarge } from './upload-refusals.ts'

const visibilities = z.enum(['private', 'link', 'public'])

/** The response of image.upload. `sha256` is the hash of the stored bytes. */
export interface UploadAnswer {
  readonly id: string
  readonly slug: string
  readonly url: string
  readonly thumbnailUrl: string
  readonly width: number
  readonly height: number
  readonly size: number
  readonly mime: string
  readonly sha256: string
  /** An existing image keeps its visibility, unless the upload requests another. */
  readonly visibility: Visibility
  /** The stored file name. An existing image keeps its own. */
  readonly filename: string
  /** False for an image that its owner already had, in the trash or not. */
  readonly isNew: boolean
  /** What was removed from the file, such as `exif`. The pixels are unchanged, bit for bit. */
  readonly removed: readonly Removed[]
}

/**
 * Uploads one file, which is the request's whole body: first it is received, then stored. Its name is in x-file-name,
 * URI-encoded. A file of a form is stored when the form has ended, because a later field may still apply to it.
 */
export const uploadImage = userProcedure
  .meta({ limits: upload, scope: 'upload', audit: { none: 'it adds to the own images' } })
  .input(octetInputParser)
  .mutation(async ({ ctx, input, signal }): Promise<UploadAnswer> => {
    const { viewer, app, form } = ctx
    const { filename, wish } = await receivable(ctx, viewer)
    await using received = await receive(ctx, { body: input, signal, filename })
    const store = (filename: string, wish: VisibilityWish) =>
      app.images.storeReceived(received, { ownerId: viewer.userId, filename, wish })
    const stored = form
      ? await form.whenEnded((said) => store(said.filename, toWish(said.visibility, viewer, said.otherwise)))
      : await store(filename, wish)
    if (stored.outcome === 'over-quota') throw refuseOverQuota(stored.room, stored.size)
    if (stored.outcome !== 'stored') throw refuse(stored.outcome)
    return uploadAnswer(stored.image, { isNew: stored.isNew, removed: received.removed }, app.config.origin)
  })

type CallOfUser = CallContext & { readonly viewer: Viewer }

/** Reads the head, before the body is accepted. Throws if the file must be refused by then, or its owner's quota is used up;
 *  no bytes are charged in that case. */
async function receivable(ctx: CallOfUser, viewer: Viewer) {
  try {
    const stated = readHeaders(ctx, viewer)
    const room = await ctx.app.images.readRoom(viewer.userId)
    if (room && !hasRoom(room, 1)) throw refuseOverQuota(room, null)
    return stated
  } catch (error) {
    await ctx.settle(0)
    throw error
  }
}

/** Accepts the body, and charges the call for the bytes received. */
async function receive(
  ctx: CallOfUser,
  { filename, ...upload }: Pick<Upload, 'body' | 'signal'> & { readonly filename: string },
): Promise<ReceivedUpload> {
  let bytes = 0
  const onRead = (read: number) => {
    bytes += read
  }
  try {
    ctx.acceptBody()
    // The chunks of a form's file are views of the request's chunks.
    // The people of a shared account take turns too.
    const lane: Lane = [ctx.viewer.userId, ctx.caller.address]
    const received = await ctx.app.images.receive({ ...upload, lane, isOwned: ctx.form === null, onRead })
    if (received.outcome === 'received') return received
    if (received.outcome === 'too-large') throw refuseTooLarge(filename, null, ctx.app.site.read().maxUploadBytes)
    throw refuse(received.outcome)
  } finally {
    await ctx.settle(bytes)
  }
}

function readHeaders(ctx: Context, viewer: Viewer) {
  const { maxUploadBytes, defaultVisibility } = ctx.app.site.read()
  const filename = parseFileName(ctx.header('x-file-name') ?? '')
  // A stated length that is too large is refused before the body is accepted.
  const length = Number(ctx.header('content-length'))
  if (length > maxUploadBytes) throw refuseTooLarge(filename ?? '', length, maxUploadBytes)
  if (filename === null) throw refuse('bad-file-name')
  return { filename, wish: toWish(ctx.header('x-visibility'), viewer, defaultVisibility) }
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

/** Returns the response for an image. */
function uploadAnswer(
  image: ImageRow,
  { isNew, removed }: Pick<UploadAnswer, 'isNew' | 'removed'>,
  origin: string,
): UploadAnswer {
  const { id, slug, width, height, size, mime, sha256, visibility, filename } = image
  const urls = { url: imageUrl(origin, image), thumbnailUrl: thumbnailUrl(origin, image) }
  return { id, slug, ...urls, width, height, size, mime, sha256, visibility, filename, isNew, removed }
}
