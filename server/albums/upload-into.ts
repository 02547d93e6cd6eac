import { z } from 'zod'
import { mayFile } from '#server/accounts/viewer.ts'
import { transact } from '#server/database/transact.ts'
import { refuse } from '#server/errors/refuse.ts'
import { Refused } from '#server/errors/refused.ts'
import type { UserContext } from '#server/images/bulk/user-context.ts'
import { MAX_TAG, tagName } from '#server/images/tag-name.ts'
import { addToAlbum } from './add-images.ts'
import { findEditable, notFound } from './find-album.ts'
import { giveTags } from './tags/add-tags.ts'
import { MAX_TAGS } from './tags/change-tags.ts'

/** What an upload is to be filed under, as its sender states it. */
export interface FilingWish {
  /** The ID of an album, or the title of one of the sender's. */
  readonly album: string | undefined
  /** Separated by commas. */
  readonly tags: string | undefined
}

export interface Filing {
  /** Its ID; null for none. */
  readonly album: string | null
  readonly tags: readonly string[]
}

const albumId = z.uuid().toLowerCase()
const tagList = z.array(tagName).max(MAX_TAGS)

/** Returns what an upload is to be filed under. Throws NOT_FOUND or FORBIDDEN unless its sender may add to the album, and
 *  BAD_REQUEST for malformed tags. */
export async function readFiling(ctx: UserContext, { album, tags }: FilingWish): Promise<Filing> {
  const named = (tags ?? '').split(',').filter((name) => name.trim() !== '')
  const parsed = tagList.safeParse(named)
  if (!parsed.success) throw refuse('upload-tags', { most: MAX_TAGS, length: MAX_TAG })
  if (named.length > 0 && !mayFile(ctx.viewer)) throw refuse('shared-account')
  return { album: album ? await findAlbum(ctx, album) : null, tags: parsed.data }
}

async function findAlbum({ app: { db }, viewer }: UserContext, asked: string): Promise<string> {
  const { success, data: id } = albumId.safeParse(asked)
  if (success) return (await findEditable(db, viewer, id)).id
  const own = await db.album.findFirst({
    where: { ownerId: viewer.userId, title: asked.trim(), deletedAt: null },
    orderBy: [{ changedAt: 'desc' }, { id: 'desc' }],
    select: { id: true },
  })
  if (!own) throw notFound()
  return own.id
}

/** Files an uploaded image. An album that has been deleted in the meantime, or no room for further tags, is no reason to refuse the
 *  upload. */
export async function fileUpload(ctx: UserContext, { album, tags }: Filing, image: string): Promise<void> {
  if (album !== null)
    await unlessRefused(transact(ctx.app.db, (tx) => addToAlbum(tx, ctx, { id: album, images: [image] })))
  if (tags.length > 0) await unlessRefused(giveTags(ctx, { images: [image], tags: [...tags] }))
}

async function unlessRefused(filing: Promise<unknown>): Promise<void> {
  try {
    await filing
  } catch (error) {
    if (!(error instanceof Error && error.cause instanceof Refused)) throw error
  }
}
