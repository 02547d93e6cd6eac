import type { PrismaClient } from '#server/database/database.ts'
import { type AlbumOrder, albumOrder } from '../album-text.ts'

/** An album as exports have it, without its images. */
export interface ExportedAlbum {
  readonly id: string
  readonly title: string
  readonly description: string
  readonly visibility: 'private' | 'link' | 'public'
  readonly order: AlbumOrder
  /** The image chosen as cover; null for the first. */
  readonly coverId: string | null
  /** ISO 8601. */
  readonly createdAt: string
  readonly changedAt: string
}

/** An image in an album, at its place in the album's own order. */
export interface ExportedPlace {
  readonly id: string
  readonly rank: string
}

/** Returns the albums of a user, those changed first at the beginning, so that importing them in this order keeps it. */
export async function readAlbums(db: PrismaClient, ownerId: string): Promise<readonly ExportedAlbum[]> {
  const rows = await db.album.findMany({
    where: { ownerId, deletedAt: null },
    orderBy: [{ changedAt: 'asc' }, { id: 'asc' }],
    select: {
      ...{ id: true, title: true, description: true, visibility: true, order: true, coverId: true },
      ...{ createdAt: true, changedAt: true },
    },
  })
  return rows.map(({ createdAt, changedAt, order, ...album }) => {
    return {
      ...album,
      order: albumOrder.parse(order),
      createdAt: createdAt.toISOString(),
      changedAt: changedAt.toISOString(),
    }
  })
}

/** Returns the names of all tags of a user, those of no image included. */
export async function readTagNames(db: PrismaClient, ownerId: string): Promise<readonly string[]> {
  const tags = await db.tag.findMany({ where: { ownerId }, orderBy: { nameKey: 'asc' }, select: { name: true } })
  return tags.map(({ name }) => name)
}

/** A saved search, as `image.list` takes it. */
export interface ExportedView {
  readonly name: string
  readonly terms: unknown
}

/** Returns the saved searches of a user, oldest first. */
export function readViews(db: PrismaClient, userId: string): Promise<readonly ExportedView[]> {
  const orderBy = [{ createdAt: 'asc' as const }, { id: 'asc' as const }]
  return db.savedView.findMany({ where: { userId }, orderBy, take: 1_000, select: { name: true, terms: true } })
}

/** Returns images of an album in its own order, from after a place on. Images in the trash are in it too. */
export function readPlaces(
  db: PrismaClient,
  albumId: string,
  { after, most }: { readonly after: ExportedPlace | null; readonly most: number },
): Promise<readonly ExportedPlace[]> {
  return db.$queryRaw<ExportedPlace[]>`
    SELECT "imageId"::text AS "id", "rank" FROM "AlbumImage"
    WHERE "albumId" = ${albumId}::uuid
      AND (${after?.rank ?? null}::text IS NULL
        OR ("rank", "imageId") > (${after?.rank ?? ''}, ${after?.id ?? null}::uuid))
    ORDER BY "rank", "imageId" LIMIT ${most}`
}

/** An album as a manifest has it (cli/files/library.ts). */
interface AlbumAround extends ExportedAlbum {
  readonly images: readonly ExportedPlace[]
}

/** What a manifest has around some images. */
export interface LibraryAround {
  readonly albums: readonly AlbumAround[]
  readonly tags: readonly string[]
  readonly views: readonly ExportedView[]
}

/** Returns all of a user's albums, with the given images that are in them, and the names of tags and searches. */
export async function readLibraryAround(
  db: PrismaClient,
  ownerId: string,
  images: readonly string[],
): Promise<LibraryAround> {
  const [albums, tags, views, places] = await Promise.all([
    readAlbums(db, ownerId),
    readTagNames(db, ownerId),
    readViews(db, ownerId),
    db.albumImage.findMany({
      where: { imageId: { in: [...images] }, album: { ownerId } },
      orderBy: [{ rank: 'asc' }, { imageId: 'asc' }],
      select: { albumId: true, imageId: true, rank: true },
    }),
  ])
  const byAlbum = Map.groupBy(places, ({ albumId }) => albumId)
  const around = albums.map((album) => {
    return { ...album, images: (byAlbum.get(album.id) ?? []).map(({ imageId: id, rank }) => ({ id, rank })) }
  })
  return { albums: around, tags, views }
}
