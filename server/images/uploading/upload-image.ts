import { TRPCError } from '@trpc/server'
import { octetInputParser } from '@trpc/server/http'
import { z } from 'zod'
import type { Viewer } from '#server/accounts/viewer.ts'
import type { Removed } from '#server/cleaning/cleaning.ts'
import type { Context } from '#server/trpc/context.ts'
import { userProcedure } from '#server/trpc/init.ts'
import type { ImageRow } from '../image-row.ts'
import { imageUrl, thumbnailUrl } from '../image-url.ts'
import { upload } from '../limits.ts'
import { parseFileName } from '../names.ts'
import { hasRoom, overQuotaMessage, type Room } from '../storing/quota.ts'
import type { Visibility, VisibilityWish } from '../visibility.ts'
import { refusedUpload, tooLargeMessage } from './upload-refusals.ts'

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

/** Takes one file, which is the request's whole body. Its name comes URI-encoded in x-file-name. */
export const uploadImage = userProcedure
  .meta({ limits: upload, scope: 'upload' })
  .input(octetInputParser)
  .mutation(async ({ ctx, input, signal }): Promise<UploadAnswer> => {
    let bytes = 0
    const onRead = (read: number) => {
      bytes += read
    }
    try {
      const { filename, wish } = readHeaders(ctx, ctx.viewer)
      // One who has no room for a single byte is refused before the body is let in, too.
      const room = await ctx.app.images.roomOf(ctx.viewer.userId)
      if (room && !hasRoom(room, 1)) throw overQuota(room, null)
      ctx.acceptBody()
      const ownerId = ctx.viewer.userId
      const facts = { filename, wish: ctx.isSaidLater ? null : wish, ownerId }
      // What comes in a form is cut out of the request's chunks.
      const isOwned = !ctx.isSaidLater
      const outcome = await ctx.app.images.accept({ ...facts, body: input, isOwned, signal, onRead })
      if (outcome.outcome === 'over-quota') throw overQuota(outcome.room, outcome.size)
      if (outcome.outcome === 'too-large') throw tooLarge(filename, null, ctx)
      if (outcome.outcome !== 'stored') throw refusedUpload(outcome.outcome)
      return uploadAnswer(outcome.image, outcome, ctx.app.config.origin)
    } finally {
      await ctx.settle(bytes)
    }
  })

function readHeaders(ctx: Context, viewer: Viewer) {
  const { maxUploadBytes, defaultVisibility } = ctx.app.config
  const filename = parseFileName(ctx.header('x-file-name') ?? '')
  // A length that is honest and too large is refused before its body is let in.
  const length = Number(ctx.header('content-length'))
  if (length > maxUploadBytes) throw tooLarge(filename ?? '', length, ctx)
  if (filename === null) throw badRequest('The header x-file-name must be URI-encoded UTF-8.')
  return { filename, wish: wishOf(ctx.header('x-visibility'), viewer, defaultVisibility) }
}

/**
 * What an upload wishes that asks for a visibility, or for none. What is asked for is done or refused, also of an image that
 * is there: by whoever may change it. Throws BAD_REQUEST.
 */
export function wishOf(asked: string | undefined, { token }: Viewer, otherwise: Visibility): VisibilityWish {
  if (asked === undefined) return { visibility: otherwise, ofKnown: 'stays' }
  const { success, data } = visibilities.safeParse(asked)
  if (!success) throw badRequest('The visibility must be private, link or public.')
  const mayChange = token === null || token.scopes.includes('manage')
  return { visibility: data, ofKnown: mayChange ? 'becomes' : 'must-be' }
}

const tooLarge = (filename: string, size: number | null, { app }: Pick<Context, 'app'>) =>
  refusedUpload('too-large', { message: tooLargeMessage(filename, size, app.config.maxUploadBytes) })

const overQuota = (room: Room, size: number | null) =>
  refusedUpload('over-quota', { message: overQuotaMessage(room, size) })

const badRequest = (message: string) => new TRPCError({ code: 'BAD_REQUEST', message })

/** What the uploader is told of an image. */
export function uploadAnswer(
  image: ImageRow,
  { isNew, removed }: Pick<UploadAnswer, 'isNew' | 'removed'>,
  origin: string,
): UploadAnswer {
  const { id, slug, width, height, size, mime, sha256, visibility, filename } = image
  const urls = { url: imageUrl(origin, image), thumbnailUrl: thumbnailUrl(origin, image) }
  return { id, slug, ...urls, width, height, size, mime, sha256, visibility, filename, isNew, removed }
}
