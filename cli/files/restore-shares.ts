import { translate } from '#messages/translate.ts'
import type { ServerConnection } from '../connection/connection.ts'
import { ItemFailed, isUnknownProcedure } from '../connection/server-error.ts'
import { type ManifestShare, manifestShare } from './library.ts'

/** The new IDs of images or albums, by those of the export. */
type NewIds = ReadonlyMap<string, string>

export interface RestoredShares {
  /** How many have a new link now; those that were there already have none. */
  readonly count: number
  readonly problems: readonly string[]
}

/** Restores shares around images and albums that are there. Each gets a new link, because an export has none; its password stays. */
export async function restoreShares(
  { api, patience, signal }: ServerConnection,
  shares: readonly unknown[],
  { images, albums }: { readonly images: NewIds; readonly albums: NewIds },
): Promise<RestoredShares> {
  const problems: string[] = []
  let count = 0
  for (const each of shares) {
    const { data: share } = manifestShare.safeParse(each)
    const target = share && toTarget(share, images, albums)
    if (!share || !target) continue
    const { album: _, images: __, ...settings } = share
    try {
      const made = await patience.run(() => api.share.restore.mutate({ ...settings, target }, { signal }))
      if (made.isNew) count += 1
    } catch (error) {
      if (isUnknownProcedure(error)) return { count, problems: [...problems, translate('cli.sharing.notKnown')] }
      if (!(error instanceof ItemFailed)) throw error
      const name = share.title || share.createdAt
      problems.push(translate('cli.albums.notRestored', { name, reason: error.message }))
    }
  }
  return { count, problems }
}

/** Returns what it shows by the new IDs; null if nothing of that is there. */
function toTarget({ album, images }: ManifestShare, newImages: NewIds, newAlbums: NewIds) {
  if (album !== null) {
    const found = newAlbums.get(album)
    return found === undefined ? null : { album: found }
  }
  const places = images.flatMap(({ id, position }) => {
    const image = newImages.get(id)
    return image === undefined ? [] : [{ id: image, position }]
  })
  return places.length === 0 ? null : { images: places }
}
