import { z } from 'zod'
import type { Viewer } from '#server/accounts/viewer.ts'
import { mayRead } from '#server/images/access.ts'
import { SLUG_PATTERN } from '#server/images/slug.ts'
import type { Services } from '#server/services.ts'
import { hashToken } from '#server/sharing/share-links.ts'
import { findLiveShare, needsVisit } from '#server/sharing/share-row.ts'
import { findSharedImage } from '#server/sharing/shared-images.ts'

/** Malformed tokens are accepted, so that they are answered like unknown ones. */
const throughShare = z.strictObject({
  share: z.string().max(200),
  /** The image's name in addresses of the share's bytes, without its extension. */
  name: z.string().max(100),
  /** Of a share with a password or a number of views. */
  visit: z.string().max(400).optional(),
})

/** An image by its ID or address, or as it appears in a share. */
export const reportedInput = z.union([
  z.strictObject({ id: z.uuid() }),
  z.strictObject({ slug: z.string().regex(SLUG_PATTERN) }),
  throughShare,
])

export type Reported = z.output<typeof reportedInput>

/** Returns the image that is reported; null for one that the viewer may not see, as for one that does not exist. */
export async function findReported(
  { db, sharing }: Services,
  viewer: Viewer | null,
  reported: Reported,
): Promise<{ readonly id: string; readonly shareId: string | null } | null> {
  if (!('share' in reported)) {
    const image = await db.image.findUnique({ where: reported, select: { id: true, ...protectedColumns } })
    return image && mayRead(viewer, image) ? { id: image.id, shareId: null } : null
  }
  const share = await findLiveShare(db, { tokenHash: hashToken(reported.share) })
  if (!share) return null
  const { name, visit } = reported
  if (needsVisit(share) && !(visit !== undefined && sharing.visits.isOpen(share, visit))) return null
  const image = IMAGE_NAME.test(name) ? await findSharedImage(db, share, sharing.keys.openName(share.id, name)) : null
  return image && { id: image.id, shareId: share.id }
}

const protectedColumns = { ownerId: true, visibility: true, trashedAt: true, awaitsApproval: true } as const

const IMAGE_NAME = /^[\w-]{22}$/
