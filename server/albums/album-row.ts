import type { Prisma } from '../../generated/prisma/client.ts'

/** The columns that procedures read. */
export const albumColumns = {
  id: true,
  slug: true,
  ownerId: true,
  title: true,
  description: true,
  visibility: true,
  order: true,
  coverId: true,
  createdAt: true,
  changedAt: true,
  deletedAt: true,
  owner: { select: { id: true, username: true, displayName: true, pictureHash: true } },
} as const satisfies Prisma.AlbumSelect

export type AlbumRow = Prisma.AlbumGetPayload<{ select: typeof albumColumns }>
