import { isAdmin, isSuperadmin, type Viewer } from '#server/accounts/viewer.ts'
import type { Prisma } from '../../generated/prisma/client.ts'

/* Procedures, the byte route and page loaders decide access to an image with these functions; Next's middleware
   never does. An image that a caller may not read gets the same answer as one that does not exist. */

/** The columns of an image that access depends on. */
export interface Protected {
  readonly ownerId: string
  readonly visibility: 'private' | 'link' | 'public'
  readonly trashedAt: Date | null
  /** A guest's upload that an admin has not approved yet. */
  readonly awaitsApproval?: boolean
}

export const isOwn = (viewer: Viewer | null, image: Protected): boolean => viewer?.userId === image.ownerId

/** Returns whether a viewer who knows the image's URL or ID may read its bytes and title. */
export function mayRead(viewer: Viewer | null, image: Protected): boolean {
  if (isOwn(viewer, image) || isSuperadmin(viewer)) return true
  if (image.awaitsApproval && !image.trashedAt) return isAdmin(viewer)
  if (image.trashedAt) return isAdmin(viewer) && image.visibility === 'public'
  return image.visibility !== 'private'
}

/** Returns whether the viewer is told the owner's user name and what the uploaded file was called, which others are not. */
export const knowsNames = (viewer: Viewer | null, image: Protected): boolean => isOwn(viewer, image) || isAdmin(viewer)

export const mayEdit = (viewer: Viewer | null, image: Protected): boolean =>
  isOwn(viewer, image) || isSuperadmin(viewer)

/** Returns whether the viewer may move an image to the trash and back: freely, or as moderation of another user's public image. */
export function mayTrash(viewer: Viewer | null, image: Protected): 'freely' | 'as-moderation' | 'no' {
  if (mayEdit(viewer, image)) return 'freely'
  return isAdmin(viewer) && image.visibility === 'public' ? 'as-moderation' : 'no'
}

/**
 * What a share of this owner shows, to anybody it lets in: their own images whatever their visibility, and those of others, as an
 * album may have, that are not private. Nothing in the trash. A filter, so that the right is part of every query for a share's pages, bytes
 * and zips.
 */
export const readableThroughShare = (ownerId: string) =>
  ({ trashedAt: null, OR: [{ ownerId }, { visibility: { not: 'private' } }] }) as const satisfies Prisma.ImageWhereInput
