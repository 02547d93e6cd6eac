import type { TRPCError } from '@trpc/server'
import type { Viewer } from '#server/accounts/viewer.ts'
import type { PrismaClient, Transaction } from '#server/database/database.ts'
import { refuse } from '#server/errors/refuse.ts'
import { mayEdit, mayRead } from './access.ts'
import { type AlbumRow, albumColumns } from './album-row.ts'

type Address = { readonly id: string } | { readonly slug: string }

/** Returns an album that the viewer may read. Throws the same NOT_FOUND for a hidden album as for a missing one. */
export async function findReadable(
  db: PrismaClient | Transaction,
  viewer: Viewer | null,
  where: Address,
): Promise<AlbumRow> {
  const album = await db.album.findUnique({ where, select: albumColumns })
  if (!album || !mayRead(viewer, album)) throw notFound()
  return album
}

/** Returns an album that the viewer may change. Throws FORBIDDEN for one that they may only read. */
export async function findEditable(
  db: PrismaClient | Transaction,
  viewer: Viewer | null,
  id: string,
): Promise<AlbumRow> {
  const album = await findReadable(db, viewer, { id })
  if (!mayEdit(viewer, album)) throw refuse('album-not-yours')
  return album
}

/** The same, locked until the transaction ends: changes of one album and of its order wait for each other. */
export async function lockEditable(tx: Transaction, viewer: Viewer, id: string): Promise<AlbumRow> {
  await lockAlbum(tx, id)
  return findEditable(tx, viewer, id)
}

export async function lockAlbum(tx: Transaction, id: string): Promise<void> {
  await tx.$queryRaw`SELECT 1 FROM "Album" WHERE "id" = ${id}::uuid FOR UPDATE`
}

export const notFound = (): TRPCError => refuse('album-not-found')
