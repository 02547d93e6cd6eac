import { isAdmin, isSuperadmin, mayFile, type Viewer } from '#server/accounts/viewer.ts'

/* Procedures decide access to an album with these functions. They say nothing about its images: a viewer sees those that the
   images' own visibility allows (album-facts.ts). */

/** The columns of an album that access depends on. */
export interface ProtectedAlbum {
  readonly ownerId: string
  readonly visibility: 'private' | 'link' | 'public'
  readonly deletedAt: Date | null
}

const isOwn = (viewer: Viewer | null, album: ProtectedAlbum): boolean => viewer?.userId === album.ownerId

/** Returns whether a viewer who knows the album's address or ID may read it. A deleted one can only be restored. */
export function mayRead(viewer: Viewer | null, album: ProtectedAlbum): boolean {
  if (album.deletedAt) return false
  return isOwn(viewer, album) || isSuperadmin(viewer) || album.visibility !== 'private'
}

export function mayEdit(viewer: Viewer | null, album: ProtectedAlbum): boolean {
  if (!viewer || !mayFile(viewer)) return false
  return isOwn(viewer, album) || isSuperadmin(viewer)
}

/** Returns whether the viewer may hide another user's public album, as moderation. */
export const mayHide = (viewer: Viewer, album: ProtectedAlbum): boolean =>
  isAdmin(viewer) && !viewer.shared && album.visibility === 'public'
