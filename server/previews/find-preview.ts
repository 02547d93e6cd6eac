import { TRPCError } from '@trpc/server'
import { type AlbumItem, toItem as toAlbumItem } from '#server/albums/album-item.ts'
import { findReadable as findAlbum } from '#server/albums/find-album.ts'
import { findReadable as findImage } from '#server/images/find-image.ts'
import { toItem as toImageItem } from '#server/images/image-item.ts'
import { SLUG_PATTERN } from '#server/images/slug.ts'
import type { Services } from '#server/services.ts'
import { hashToken } from '#server/sharing/share-links.ts'
import { findLiveShare, needsVisit, type ShareRow } from '#server/sharing/share-row.ts'
import { findShared } from '#server/sharing/shared-images.ts'
import { type ShownShare, showShare } from '#server/sharing/show-share.ts'
import { type Preview, previewAlbum, previewImage, previewShare } from './preview.ts'

type Source = Pick<Services, 'db' | 'config'>

/** A page that has a preview. */
export type Previewed =
  | { readonly kind: 'image' | 'album'; readonly slug: string }
  /** `at` is an image that is shown alone. */
  | { readonly kind: 'share'; readonly token: string; readonly at: number | null }

/** Parses the address of a page of this site; null for any other, which nobody asks. */
export function parsePreviewed(origin: string, address: string): Previewed | null {
  if (!URL.canParse(address)) return null
  const url = new URL(address)
  if (url.origin !== origin || url.username !== '' || url.password !== '') return null
  const [, place, name = ''] = /^\/(image|a|s)\/([^/]{1,200})$/.exec(url.pathname) ?? []
  if (place === 's') {
    const at = url.searchParams.get('at')
    return { kind: 'share', token: name, at: at !== null && /^\d{1,6}$/.test(at) ? Number(at) : null }
  }
  if (place === undefined || !SLUG_PATTERN.test(name)) return null
  return { kind: place === 'a' ? 'album' : 'image', slug: name }
}

/** Returns the preview of an image or an album as a guest may see it; null if there is none. */
export async function findPreview(
  app: Services,
  { kind, slug }: Extract<Previewed, { slug: string }>,
): Promise<Preview | null> {
  const { db } = app
  try {
    return kind === 'album'
      ? await previewAllowedAlbum(app, await toAlbumItem(await findAlbum(db, null, { slug }), null, app))
      : await previewIfAllowed(app, await toImageItem(await findImage(db, null, { slug }), null, app), previewImage)
  } catch (error) {
    if (error instanceof TRPCError && error.code === 'NOT_FOUND') return null
    throw error
  }
}

/** Returns what `preview` makes of an image or an album; null if its owner is banned. Their pages stay, but this site spreads nothing
 *  of them. */
export async function previewIfAllowed<Item extends { readonly owner: { readonly id: string } }>(
  { db, config }: Source,
  item: Item,
  preview: (origin: string, item: Item) => Preview | null,
): Promise<Preview | null> {
  const made = preview(config.origin, item)
  if (!made) return null
  const isAllowed = await db.user.count({ where: { id: item.owner.id, bannedAt: null } })
  return isAllowed ? made : null
}

/** The same for an album, which is shown without its cover if that is a banned owner's: albums may have images of others. */
export async function previewAllowedAlbum(app: Source, album: AlbumItem): Promise<Preview | null> {
  const { cover } = album
  const isAllowed = cover && (await app.db.image.count({ where: { id: cover.id, owner: { bannedAt: null } } })) > 0
  return previewIfAllowed(app, isAllowed ? album : { ...album, cover: null }, previewAlbum)
}

type PreviewedShare = Extract<Previewed, { kind: 'share' }>

/** Returns a share that has a preview: one that everybody with its link may see. It takes no view and opens no visit. */
export async function findPreviewedShare({ db }: Services, { token }: PreviewedShare): Promise<ShareRow | null> {
  const share = await findLiveShare(db, { tokenHash: hashToken(token) })
  return share && !needsVisit(share) ? share : null
}

/** Returns the preview of such a share; null if it has no image there. */
export async function previewOpenShare(app: Services, share: ShareRow, asked: PreviewedShare): Promise<Preview | null> {
  return previewShownShare(app, share, await showShare(app, share, asked.at ?? 0), { ...asked, from: 0 })
}

/** Returns the preview of what such a share shows from an image on; null if it would show an image of a banned owner, as an album may have. */
export async function previewShownShare(
  { db, config }: Source,
  share: ShareRow,
  shown: ShownShare,
  { token, at, from }: Pick<PreviewedShare, 'token' | 'at'> & { readonly from: number },
): Promise<Preview | null> {
  const preview = previewShare(config.origin, shown, { token, at })
  const [first] = preview && share.album ? await findShared(db, share, at ?? from, 1) : []
  const isOwn = first === undefined || first.ownerId === share.ownerId
  const isAllowed = isOwn || (await db.user.count({ where: { id: first.ownerId, bannedAt: null } })) > 0
  return isAllowed ? preview : null
}
