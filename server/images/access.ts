import { isAdmin, isSuperadmin, type Viewer } from '#server/accounts/viewer.ts'

/* Procedures, the byte route and page loaders decide access to an image with these functions; Next's middleware
   never does. An image that a caller may not read gets the same answer as one that does not exist. */

/** The columns of an image that access depends on. */
export interface Protected {
  readonly ownerId: string
  readonly visibility: 'private' | 'link' | 'public'
  readonly trashedAt: Date | null
}

export const isOwn = (viewer: Viewer | null, image: Protected): boolean => viewer?.userId === image.ownerId

/** Returns whether a viewer who knows the image's URL or ID may read its bytes and title. */
export function mayRead(viewer: Viewer | null, image: Protected): boolean {
  if (isOwn(viewer, image) || isSuperadmin(viewer)) return true
  if (image.trashedAt) return isAdmin(viewer) && image.visibility === 'public'
  return image.visibility !== 'private'
}

export const mayEdit = (viewer: Viewer | null, image: Protected): boolean =>
  isOwn(viewer, image) || isSuperadmin(viewer)

/** Returns whether the viewer may move an image to the trash and back: freely, or as moderation of another user's public image. */
export function mayTrash(viewer: Viewer | null, image: Protected): 'freely' | 'as-moderation' | 'no' {
  if (mayEdit(viewer, image)) return 'freely'
  return isAdmin(viewer) && image.visibility === 'public' ? 'as-moderation' : 'no'
}
