import { isAdmin, isSuperadmin, type Viewer } from '#server/accounts/viewer.ts'

/** What decides about an image. */
export interface Protected {
  readonly ownerId: string
  readonly visibility: 'private' | 'link' | 'public'
  readonly trashedAt: Date | null
}

export const isOwn = (viewer: Viewer | null, image: Protected): boolean => viewer?.userId === image.ownerId

/** Whether somebody who has the image's address or id may have its bytes and its title. */
export function mayRead(viewer: Viewer | null, image: Protected): boolean {
  if (isOwn(viewer, image) || isSuperadmin(viewer)) return true
  if (image.trashedAt) return isAdmin(viewer) && image.visibility === 'public'
  return image.visibility !== 'private'
}

export const mayEdit = (viewer: Viewer | null, image: Protected): boolean =>
  isOwn(viewer, image) || isSuperadmin(viewer)

/** May be moved to the trash and back: as one's own, or as moderation of somebody else's public image. */
export function mayTrash(viewer: Viewer | null, image: Protected): 'freely' | 'as-moderation' | 'no' {
  if (mayEdit(viewer, image)) return 'freely'
  return isAdmin(viewer) && image.visibility === 'public' ? 'as-moderation' : 'no'
}
