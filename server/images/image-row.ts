import type { Prisma } from '../../generated/prisma/client.ts'

/** The columns of the image's own row. */
export const ownColumns = {
  id: true,
  slug: true,
  ownerId: true,
  sha256: true,
  mime: true,
  width: true,
  height: true,
  size: true,
  filename: true,
  title: true,
  description: true,
  visibility: true,
  awaitsApproval: true,
  takenAt: true,
  camera: true,
  uploadSha256: true,
  createdAt: true,
  trashedAt: true,
} as const satisfies Prisma.ImageSelect

/** The columns of an image's owner. */
const ownerColumns = { id: true, username: true, displayName: true, pictureHash: true } as const

/** The columns that procedures read. */
export const imageColumns = {
  ...ownColumns,
  object: { select: { frames: true, variants: true, variantsDue: true, variantsReserved: true, placeholder: true } },
  owner: { select: ownerColumns },
} as const satisfies Prisma.ImageSelect

export type ImageRow = Prisma.ImageGetPayload<{ select: typeof imageColumns }>
