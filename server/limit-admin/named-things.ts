import { isSuperadmin, type Viewer } from '#server/accounts/viewer.ts'
import { mayRead as mayReadAlbum } from '#server/albums/access.ts'
import type { PrismaClient } from '#server/database/database.ts'
import { mayRead as mayReadImage } from '#server/images/access.ts'
import { thumbnailUrl } from '#server/images/image-url.ts'

/** The value of an argument that a rule set counts, by what it is. */
export interface ShownArgument {
  /** The argument: 'slug'. */
  readonly input: string
  /** As the caller sent it; null if it is not known any more, or not for the viewer. */
  readonly value: string | null
  /** What it names; null for nothing that exists, or that the viewer may see. */
  readonly kind: 'image' | 'album' | 'share' | 'user' | null
  /** Of a share, what it shows. '' without one. */
  readonly title: string
  readonly owner: string | null
  /** A path of this site. */
  readonly href: string | null
  readonly thumbnail: string | null
}

/** Values and what they name. */
export type Things = ReadonlyMap<string, Thing>

type Thing = { readonly kind: Exclude<ShownArgument['kind'], null> } & Pick<
  ShownArgument,
  'title' | 'owner' | 'href' | 'thumbnail'
> & { readonly mayRead: (viewer: Viewer) => boolean }

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Finds what the values name, with one query for each kind of thing. */
export async function loadThings(
  db: PrismaClient,
  origin: string,
  counts: readonly { readonly argument?: string | undefined }[],
): Promise<Things> {
  const values = [...new Set(counts.flatMap(({ argument }) => argument ?? []))]
  if (values.length === 0) return new Map()
  const ids = values.filter((value) => UUID.test(value))
  const named = { OR: [{ id: { in: ids } }, { slug: { in: values } }] }
  const owner = { select: { username: true } } as const
  const [images, albums, shares, users] = await Promise.all([
    db.image.findMany({ where: named, select: { ...imageColumns, owner } }),
    db.album.findMany({ where: named, select: { ...albumColumns, owner } }),
    db.share.findMany({
      where: { id: { in: ids } },
      select: {
        ...{ id: true, title: true, owner, album: { select: albumColumns } },
        images: { select: { image: { select: imageColumns } }, orderBy: { position: 'asc' }, take: 1 },
      },
    }),
    db.user.findMany({ where: { id: { in: ids } }, select: { id: true, username: true } }),
  ])
  const things = [
    ...images.map((image) => [image, imageThing(image, origin)] as const),
    ...albums.map((album) => [album, albumThing(album)] as const),
    ...shares.map((share) => [share, shareThing(share, origin)] as const),
    ...users.map((user) => [user, userThing(user)] as const),
  ]
  return new Map(
    things.flatMap(([row, thing]) => [[row.id, thing], ...('slug' in row ? [[row.slug, thing] as const] : [])]),
  )
}

const imageColumns = {
  ...{ id: true, slug: true, mime: true, title: true, ownerId: true, visibility: true, trashedAt: true },
  awaitsApproval: true,
} as const

const albumColumns = { id: true, slug: true, title: true, ownerId: true, visibility: true, deletedAt: true } as const

interface ImageRow {
  readonly id: string
  readonly slug: string
  readonly mime: string
  readonly title: string
  readonly ownerId: string
  readonly visibility: 'private' | 'link' | 'public'
  readonly trashedAt: Date | null
  readonly awaitsApproval: boolean
}

interface Owned {
  readonly owner: { readonly username: string }
}

const imageThing = (image: ImageRow & Owned, origin: string): Thing => ({
  kind: 'image',
  title: image.title,
  owner: image.owner.username,
  href: `/image/${image.slug}`,
  thumbnail: thumbnailUrl(origin, image),
  mayRead: (viewer) => mayReadImage(viewer, image),
})

type AlbumRow = Pick<ImageRow, 'id' | 'slug' | 'title' | 'ownerId' | 'visibility'> & { readonly deletedAt: Date | null }

const albumThing = (album: AlbumRow & Owned): Thing => ({
  kind: 'album',
  title: album.title,
  owner: album.owner.username,
  href: `/a/${album.slug}`,
  thumbnail: null,
  mayRead: (viewer) => mayReadAlbum(viewer, album),
})

interface ShareRow extends Owned {
  readonly title: string
  readonly album: AlbumRow | null
  readonly images: readonly { readonly image: ImageRow }[]
}

/** The title of a share may say what only its guests should know, so that only superadmins read it. */
function shareThing({ title, owner, album, images: [first] }: ShareRow, origin: string): Thing {
  const shown = album ?? first?.image
  return {
    kind: 'share',
    title: title || (shown?.title ?? ''),
    owner: owner.username,
    href: album ? `/a/${album.slug}` : first ? `/image/${first.image.slug}` : null,
    thumbnail: first ? thumbnailUrl(origin, first.image) : null,
    mayRead: isSuperadmin,
  }
}

const userThing = ({ username }: { readonly username: string }): Thing => ({
  kind: 'user',
  title: username,
  owner: null,
  href: `/admin/users?search=${encodeURIComponent(username)}`,
  thumbnail: null,
  mayRead: () => true,
})
