import { z } from 'zod'
import type { Viewer } from '#server/accounts/viewer.ts'
import type { Transaction } from '#server/database/database.ts'
import { transact } from '#server/database/transact.ts'
import { invalid } from '#server/errors/invalid.ts'
import { lockImages } from '#server/images/bulk/lock-images.ts'
import { refusalToEdit } from '#server/images/bulk/outcome.ts'
import type { UserContext } from '#server/images/bulk/user-context.ts'
import { userProcedure } from '#server/trpc/init.ts'
import { limitsFor } from '#server/trpc/limit.ts'
import { changeAlbum } from './album-change.ts'
import { type AlbumImageItem, type AlbumImagesAnswer, someImages } from './album-images.ts'
import { lockEditable } from './find-album.ts'
import { albumImages } from './limits.ts'
import { ranksAt } from './places.ts'
import { isRank } from './rank.ts'

const input = someImages
  .extend({
    /** The rank of each image, as `album.remove` has answered it, to undo that; they go to the end otherwise. */
    ranks: z.array(z.string().refine(isRank, invalid('albumRank'))).optional(),
  })
  .refine(({ images, ranks }) => !ranks || ranks.length === images.length, invalid('albumRank'))

/** Adds images to an album, at its end: the viewer's own, or any if they are a superadmin. */
export const addImages = userProcedure
  .meta({ ...limitsFor(input, albumImages), scope: 'manage', audit: 'album.add' })
  .input(input)
  .mutation(({ ctx, input: { id, images, ranks } }): Promise<AlbumImagesAnswer> => {
    return transact(ctx.app.db, (tx) => addToAlbum(tx, ctx, { id, images, ranks }))
  })

interface Addition {
  readonly id: string
  readonly images: readonly string[]
  readonly ranks?: readonly string[] | undefined
}

/** Adds images in the caller's transaction. Throws if the viewer may not change the album. */
export async function addToAlbum(
  tx: Transaction,
  ctx: UserContext,
  { id, images, ranks }: Addition,
): Promise<AlbumImagesAnswer> {
  const album = await lockEditable(tx, ctx.viewer, id)
  const refusals = await findRefusals(tx, ctx.viewer, images)
  const allowed = images.filter((image) => !refusals.has(image))
  const known = await tx.albumImage.findMany({
    where: { albumId: id, imageId: { in: allowed } },
    select: { imageId: true },
  })
  const present = new Set(known.map(({ imageId }) => imageId))
  const added = allowed.filter((image) => !present.has(image))
  if (added.length > 0) {
    const given = new Map(images.map((image, index) => [image, ranks?.[index]]))
    const atEnd = ranks ? null : await ranksAt(tx, id, { before: null }, { count: added.length })
    const data = added.map((imageId, index) => {
      const rank = given.get(imageId) ?? atEnd?.[index]
      if (rank === undefined) throw new Error('the end of an album has room')
      return { albumId: id, imageId, rank }
    })
    await tx.albumImage.createMany({ data })
    await changeAlbum(tx, ctx, album, { act: 'add', data: {}, images: added })
  }
  return {
    items: images.map((image): AlbumImageItem => {
      const outcome = refusals.get(image)
      if (outcome) return { id: image, outcome }
      return { id: image, outcome: 'done', changed: !present.has(image), rank: null }
    }),
  }
}

/** Returns why the viewer may not add images, by their IDs. Locks the images, so that none is purged meanwhile. */
async function findRefusals(tx: Transaction, viewer: Viewer, images: readonly string[]) {
  const found = await lockImages(tx, images)
  return new Map(
    images.flatMap((id) => {
      const refusal = refusalToEdit(viewer, found.get(id))
      return refusal ? [[id, refusal === 'forbidden' ? refusal : ('not-found' as const)] as const] : []
    }),
  )
}
