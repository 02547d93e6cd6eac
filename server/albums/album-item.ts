import { picturePath } from '#server/accounts/profile/picture.ts'
import { isAdmin, type Viewer } from '#server/accounts/viewer.ts'
import { type ImageItem, type ImageOwner, listVariants } from '#server/images/image-item.ts'
import { imageColumns } from '#server/images/image-row.ts'
import { imageUrl, thumbnailUrl } from '#server/images/image-url.ts'
import { areAwaited } from '#server/images/storing/stored-variants.ts'
import type { Services } from '#server/services.ts'
import { mayEdit } from './access.ts'
import { type Count, readFacts } from './album-facts.ts'
import type { AlbumRow } from './album-row.ts'
import { type AlbumOrder, albumOrder } from './album-text.ts'

/** An album as procedures return it. */
export interface AlbumItem {
  readonly id: string
  readonly slug: string
  /** The page for everyone who may see it. */
  readonly url: string
  readonly title: string
  readonly description: string
  readonly visibility: AlbumRow['visibility']
  readonly order: AlbumOrder
  /** The images in it that the viewer may see. */
  readonly count: Count
  /** The private images of an album that others may see, which they do not see; null unless the viewer may change it. */
  readonly hidden: Count | null
  /** Null without an image. */
  readonly cover: AlbumCover | null
  /** The image chosen as cover; null for the first. */
  readonly coverId: string | null
  /** ISO 8601. */
  readonly createdAt: string
  readonly changedAt: string
  readonly owner: ImageOwner
  readonly mine: boolean
  readonly mayEdit: boolean
}

type AlbumCover = Pick<
  ImageItem,
  | 'id'
  | 'url'
  | 'thumbnailUrl'
  | 'variants'
  | 'variantsAwaited'
  | 'placeholder'
  | 'width'
  | 'height'
  | 'mime'
  | 'frames'
>

/** Returns albums that the viewer may read as items, in the same order. */
export async function toItems(
  albums: readonly AlbumRow[],
  viewer: Viewer | null,
  { db, config: { origin } }: Pick<Services, 'db' | 'config'>,
): Promise<AlbumItem[]> {
  const ids = albums.map(({ id }) => id)
  const facts = await readFacts(db, ids, viewer)
  const coverIds = [...facts.values()].flatMap(({ coverId }) => coverId ?? [])
  const covers = await readCovers(db, coverIds, origin)
  return albums.map((album) => {
    const found = facts.get(album.id)
    const isEditable = mayEdit(viewer, album)
    return {
      id: album.id,
      slug: album.slug,
      url: `${origin}/a/${album.slug}`,
      title: album.title,
      description: album.description,
      visibility: album.visibility,
      order: albumOrder.parse(album.order),
      count: found?.count ?? { count: 0, more: false },
      hidden: isEditable ? (found?.hidden ?? { count: 0, more: false }) : null,
      cover: covers.get(found?.coverId ?? '') ?? null,
      coverId: isEditable ? album.coverId : null,
      createdAt: album.createdAt.toISOString(),
      changedAt: album.changedAt.toISOString(),
      owner: toOwner(album, viewer),
      mine: viewer?.userId === album.ownerId,
      mayEdit: isEditable,
    }
  })
}

export async function toItem(
  album: AlbumRow,
  viewer: Viewer | null,
  app: Pick<Services, 'db' | 'config'>,
): Promise<AlbumItem> {
  const [item] = await toItems([album], viewer, app)
  if (!item) throw new Error('one album makes one item')
  return item
}

async function readCovers(
  db: Services['db'],
  ids: readonly string[],
  origin: string,
): Promise<ReadonlyMap<string, AlbumCover>> {
  const rows = await db.image.findMany({ where: { id: { in: [...ids] } }, select: imageColumns })
  return new Map(
    rows.map((image) => {
      const { id, width, height, mime } = image
      const { placeholder, frames } = image.object
      const urls = { url: imageUrl(origin, image), thumbnailUrl: thumbnailUrl(origin, image) }
      const variants = { variants: listVariants(image, origin), variantsAwaited: areAwaited(image.object) }
      return [id, { id, ...urls, ...variants, placeholder, width, height, mime, frames }]
    }),
  )
}

function toOwner({ owner }: AlbumRow, viewer: Viewer | null): ImageOwner {
  const { id, displayName: name, pictureHash, username } = owner
  const mayIdentify = viewer?.userId === id || isAdmin(viewer)
  return { id, name, picture: picturePath(pictureHash), username: mayIdentify ? username : null }
}
