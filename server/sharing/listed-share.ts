import type { Viewer } from '#server/accounts/viewer.ts'
import type { PrismaClient } from '#server/database/database.ts'
import { mayRead, readableThroughShare } from '#server/images/access.ts'
import { thumbnailUrl } from '#server/images/image-url.ts'
import type { Services } from '#server/services.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import { type DayOfUse, dayColumns, toDay } from './use/day-of-use.ts'

/** A share as its owner sees it. */
export interface ListedShare {
  readonly id: string
  /** The link; null for a superadmin who is not its owner, and after the site's secret has been replaced. */
  readonly url: string | null
  readonly title: string
  readonly album: { readonly id: string; readonly title: string } | null
  /** How many images the share shows; up to four of them. */
  readonly count: number
  readonly thumbnails: readonly string[]
  readonly hasPassword: boolean
  readonly showsTitles: boolean
  readonly originals: boolean
  /** ISO 8601, like all dates here; null for no end. */
  readonly expiresAt: string | null
  readonly maxViews: number | null
  readonly views: number
  /** The owner's own limits; null for those of the site. */
  readonly limits: {
    readonly requestsPerHour: number | null
    readonly requestsPerDay: number | null
    readonly bytesPerDay: number | null
  }
  readonly createdAt: string
  /** Why nobody can open it any more. */
  readonly ended: 'expired' | 'viewed' | 'empty' | null
  /** The use of today; null for none yet. */
  readonly today: DayOfUse | null
  /** Null for one's own. */
  readonly owner: { readonly id: string; readonly username: string } | null
}

/** How many images of a share are shown in a list. */
const THUMBNAILS = 4

const imageSelect = {
  image: { select: { slug: true, mime: true, ownerId: true, visibility: true, trashedAt: true } },
} as const

const shownImages = (ownerId: string | null): Prisma.ImageWhereInput =>
  ownerId === null ? { trashedAt: null } : readableThroughShare(ownerId)

/** The columns of shares in a list. `ownerId` is null if they are of several owners. */
export function listedColumns(ownerId: string | null, day: Date) {
  const image = shownImages(ownerId)
  const first = { where: { image }, take: THUMBNAILS, select: imageSelect } as const
  return {
    ...{
      id: true,
      ownerId: true,
      title: true,
      sealedToken: true,
      passwordHash: true,
      showsTitles: true,
      originals: true,
    },
    ...{ expiresAt: true, maxViews: true, views: true, createdAt: true },
    ...{ requestsPerHour: true, requestsPerDay: true, bytesPerDay: true },
    owner: { select: { id: true, username: true } },
    album: {
      select: { id: true, title: true, deletedAt: true, images: { ...first, orderBy: { rank: 'asc' } } },
    },
    images: { ...first, orderBy: { position: 'asc' } },
    days: { where: { day }, select: dayColumns },
  } as const satisfies Prisma.ShareSelect
}

type Row = Prisma.ShareGetPayload<{ select: ReturnType<typeof listedColumns> }>

/** Returns how many images each of these shares shows, by its ID. As a relation's count, Prisma would count those of all shares. */
export async function countListed(
  db: PrismaClient,
  rows: readonly Row[],
  ownerId: string | null,
): Promise<ReadonlyMap<string, number>> {
  const image = shownImages(ownerId)
  const albums = rows.flatMap(({ album }) => (album && !album.deletedAt ? [album.id] : []))
  const [ofShares, ofAlbums] = await Promise.all([
    db.shareImage.groupBy({
      by: ['shareId'],
      where: { shareId: { in: rows.map(({ id }) => id) }, image },
      _count: true,
    }),
    db.albumImage.groupBy({ by: ['albumId'], where: { albumId: { in: albums }, image }, _count: true }),
  ])
  const byAlbum = new Map(ofAlbums.map(({ albumId, _count }) => [albumId, _count]))
  const byShare = new Map(ofShares.map(({ shareId, _count }) => [shareId, _count]))
  return new Map(rows.map(({ id, album }) => [id, (album ? byAlbum.get(album.id) : byShare.get(id)) ?? 0]))
}

/** Returns a share for its owner, or for a superadmin, who gets neither another's link nor private images. */
export function toListed({ config, sharing }: Services, viewer: Viewer, row: Row, count: number): ListedShare {
  const { album, passwordHash, expiresAt, owner, ...share } = row
  const isOwn = owner.id === viewer.userId
  const shown = album ?? row
  const [day] = row.days
  const readable = shown.images.map(({ image }) => image).filter((image) => mayRead(viewer, image))
  return {
    id: share.id,
    url: isOwn ? sharing.links.url(row) : null,
    title: share.title,
    album: album && { id: album.id, title: album.title },
    count,
    thumbnails: readable.map((image) => thumbnailUrl(config.origin, image)),
    hasPassword: passwordHash !== null,
    ...{ showsTitles: share.showsTitles, originals: share.originals },
    expiresAt: expiresAt?.toISOString() ?? null,
    ...{ maxViews: share.maxViews, views: share.views },
    limits: {
      requestsPerHour: share.requestsPerHour,
      requestsPerDay: share.requestsPerDay,
      bytesPerDay: share.bytesPerDay === null ? null : Number(share.bytesPerDay),
    },
    createdAt: share.createdAt.toISOString(),
    ended: findEnd(row, count),
    today: day ? toDay(day) : null,
    owner: isOwn ? null : owner,
  }
}

function findEnd({ expiresAt, maxViews, views }: Row, images: number): ListedShare['ended'] {
  if (expiresAt && expiresAt.getTime() <= Date.now()) return 'expired'
  if (maxViews !== null && views >= maxViews) return 'viewed'
  return images === 0 ? 'empty' : null
}
