import { octetInputParser } from '@trpc/server/http'
import { z } from 'zod'
import type { Viewer } from '#server/accounts/viewer.ts'
import type { Removed } from '#server/cleaning/cleaning.ts'
import { refuse } from '#server/errors/refuse.ts'
import type { CallContext, Context } from '#server/trpc/context.ts'
import { userProcedure } from '#server/trpc/init.ts'
import type { ImageRow } from '../image-row.ts'
import { imageUrl, thumbnailUrl } from '../image-url.ts'
import { upload } from '../limits.ts'
import { parseFileName } from '../names.ts'
import { hasRoom, refuseOverQuota } from '../storing/quota.ts'
import type { Visibility, VisibilityWish } from '../visibility.ts'
import type { ReceivedUpload, Upload } from './receive-upload.ts'
import { refuseTooLarge } from './upload-refusals.ts'

const visibilities = z.enum(['private', 'link', 'public'])

/** What image.upload answers; `sha256` is that of the stored bytes. */
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
  /** Who may see it: of an image that was there already as it was, unless the upload asks for another. */
  readonly visibility: Visibility
  /** Under which it is kept; of an image that was there already, as it was. */
  readonly filename: string
  /** False of an image that its owner had already, be it in the trash. */
  readonly isNew: boolean
  /** What the file had and the stored image has not, such as `exif`. Its pixels are those of the file, bit for bit. */
  readonly removed: readonly Removed[]
}

/**
 * Takes one file, which is the request's whole body: it is received, and stored then. Its name comes URI-encoded in
 * x-file-name. A file of a form is stored once the form has ended, when all that the form says of it is known.
 */
export const uploadImage = userProcedure
  .meta({ limits: upload, scope: 'upload' })
  .input(octetInputParser)
  .mutation(async ({ ctx, input, signal }): Promise<UploadAnswer> => {
    const { viewer, app, form } = ctx
    const { filename, wish } = await receivable(ctx, viewer)
    await using received = await receive(ctx, { body: input, signal, filename })
    const store = (filename: string, wish: VisibilityWish) =>
      app.images.storeReceived(received, { ownerId: viewer.userId, filename, wish })
    const stored = form
      ? await form.whenEnded((said) => store(said.filename, wishOf(said.visibility, viewer, said.otherwise)))
      : await store(filename, wish)
    if (stored.outcome === 'over-quota') throw refuseOverQuota(stored.room, stored.size)
    if (stored.outcome !== 'stored') throw refuse(stored.outcome)
    return uploadAnswer(stored.image, { isNew: stored.isNew, removed: received.removed }, app.config.origin)
  })

type CallOfUser = CallContext & { readonly viewer: Viewer }

/** What the head says of the file. Throws where it is refused for that, or its owner has no room for a single byte: its call is charged for no bytes then. */
async function receivable(ctx: CallOfUser, viewer: Viewer) {
  try {
    const said = readHeaders(ctx, viewer)
    const room = await ctx.app.images.roomOf(viewer.userId)
    if (room && !hasRoom(room, 1)) throw refuseOverQuota(room, null)
    return said
  } catch (error) {
    await ctx.settle(0)
    throw error
  }
}

/** Lets the body in, and charges the call for the bytes that come. */
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
    // What comes in a form is cut out of the request's chunks.
    const received = await ctx.app.images.receive({ ...upload, isOwned: ctx.form === null, onRead })
    if (received.outcome === 'received') return received
    if (received.outcome === 'too-large') throw refuseTooLarge(filename, null, ctx.app.config.maxUploadBytes)
    throw refuse(received.outcome)
  } finally {
    await ctx.settle(bytes)
  }
}

function readHeaders(ctx: Context, viewer: Viewer) {
  const { maxUploadBytes, defaultVisibility } = ctx.app.config
  const filename = parseFileName(ctx.header('x-file-name') ?? '')
  // A length that is honest and too large is refused before its body is let in.
  const length = Number(ctx.header('content-length'))
  if (length > maxUploadBytes) throw refuseTooLarge(filename ?? '', length, maxUploadBytes)
  if (filename === null) throw refuse('bad-file-name')
  return { filename, wish: wishOf(ctx.header('x-visibility'), viewer, defaultVisibility) }
}

/**
 * Returns what an upload wishes that asks for a visibility, or for none. What is asked for is done or refused, also of an
 * image that is there: by whoever may change it. Throws BAD_REQUEST.
 */
function wishOf(asked: string | undefined, { token }: Viewer, otherwise: Visibility): VisibilityWish {
  if (asked === undefined) return { visibility: otherwise, ofKnown: 'stays' }
  const { success, data } = visibilities.safeParse(asked)
  if (!success) throw refuse('bad-visibility')
  const mayChange = token === null || token.scopes.includes('manage')
  return { visibility: data, ofKnown: mayChange ? 'becomes' : 'must-be' }
}

/** Returns what the uploader is told of an image. */
function uploadAnswer(
  image: ImageRow,
  { isNew, removed }: Pick<UploadAnswer, 'isNew' | 'removed'>,
  origin: string,
): UploadAnswer {
  const { id, slug, width, height, size, mime, sha256, visibility, filename } = image
  const urls = { url: imageUrl(origin, image), thumbnailUrl: thumbnailUrl(origin, image) }
  return { id, slug, ...urls, width, height, size, mime, sha256, visibility, filename, isNew, removed }
}
