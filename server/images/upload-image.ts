import { TRPCError } from '@trpc/server'
import { octetInputParser } from '@trpc/server/http'
import { z } from 'zod'
import type { Config } from '#server/config.ts'
import type { Context } from '#server/trpc/context.ts'
import { userProcedure } from '#server/trpc/init.ts'
import type { UploadOutcome } from './accept-upload.ts'
import type { Removed } from './clean/cleaning.ts'
import { imageUrl, thumbnailUrl } from './image-url.ts'
import { upload } from './limits.ts'
import { parseFileName } from './names.ts'
import { hasRoom, overQuotaMessage, type Room } from './storing/quota.ts'
import { refusedUpload } from './upload-refusals.ts'

const visibilityHeader = z.enum(['private', 'link', 'public'])

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
  /** Who may see it: of an image that was there already, as it was. */
  readonly visibility: 'private' | 'link' | 'public'
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
      const headers = readHeaders(ctx, ctx.app.config)
      // One who has no room for a single byte is refused before the body is let in, too.
      const room = await ctx.app.images.roomOf(ctx.viewer.userId)
      if (room && !hasRoom(room, 1)) throw overQuota(room, null)
      ctx.acceptBody()
      const ownerId = ctx.viewer.userId
      const outcome = await ctx.app.images.accept({ ...headers, body: input, signal, ownerId, onRead })
      return answerOf(outcome, ctx.app.config.origin)
    } finally {
      await ctx.settle(bytes)
    }
  })

function readHeaders(ctx: Context, { maxUploadBytes, defaultVisibility }: Config) {
  // A length that is honest and too large is refused before its body is let in.
  if (Number(ctx.header('content-length')) > maxUploadBytes) throw refusedUpload('too-large')
  const filename = parseFileName(ctx.header('x-file-name') ?? '')
  if (filename === null) throw badRequest('The header x-file-name must be URI-encoded UTF-8.')
  const visibility = visibilityHeader.safeParse(ctx.header('x-visibility') ?? defaultVisibility)
  if (!visibility.success) throw badRequest('The visibility must be private, link or public.')
  return { filename, visibility: visibility.data }
}

const overQuota = (room: Room, size: number | null) =>
  refusedUpload('over-quota', { message: overQuotaMessage(room, size) })

const badRequest = (message: string) => new TRPCError({ code: 'BAD_REQUEST', message })

function answerOf(result: UploadOutcome, origin: string): UploadAnswer {
  if (result.outcome === 'over-quota') throw overQuota(result.room, result.size)
  if (result.outcome !== 'stored') throw refusedUpload(result.outcome)
  const { id, slug, width, height, size, mime, sha256, visibility, filename } = result.image
  const { isNew, removed } = result
  const urls = { url: imageUrl(origin, result.image), thumbnailUrl: thumbnailUrl(origin, result.image) }
  return { id, slug, ...urls, width, height, size, mime, sha256, visibility, filename, isNew, removed }
}
