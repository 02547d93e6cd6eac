import type { TRPCError } from '@trpc/server'
import type { Viewer } from '#server/accounts/viewer.ts'
import type { PrismaClient } from '#server/database/database.ts'
import { refuse } from '#server/errors/refuse.ts'
import { mayEdit, mayRead } from './access.ts'
import { type ImageRow, imageColumns } from './image-row.ts'

type Address = { readonly id: string } | { readonly slug: string }

/** Returns an image that the viewer may read. Throws the same NOT_FOUND for a hidden image as for a missing one. */
export async function findReadable(db: PrismaClient, viewer: Viewer | null, where: Address): Promise<ImageRow> {
  const image = await db.image.findUnique({ where, select: imageColumns })
  if (!image || !mayRead(viewer, image)) throw notFound()
  return image
}

/** Returns an image that the viewer may change. Throws FORBIDDEN for one that they may only read. */
export async function findEditable(db: PrismaClient, viewer: Viewer, id: string): Promise<ImageRow> {
  const image = await findReadable(db, viewer, { id })
  if (!mayEdit(viewer, image)) throw forbidden()
  return image
}

export const notFound = (): TRPCError => refuse('image-not-found')

export const forbidden = (): TRPCError => refuse('image-not-yours')
