import { translate } from '#messages/translate.ts'
import type { ServerConnection } from '../connection/connection.ts'
import { ItemFailed } from '../connection/server-error.ts'
import { findTitled } from './albums.ts'
import { chunks } from './chunks.ts'
import type { Library, ManifestAlbum, ManifestView } from './library.ts'
import { restoreShares } from './restore-shares.ts'

/** Images of one call. */
const IMAGES = 100

/** The new IDs of images or albums, by those of the export. */
type NewIds = ReadonlyMap<string, string>

/** What became of a library. */
interface RestoredLibrary {
  /** What could not be restored. */
  readonly problems: readonly string[]
  /** How many shares have a new link. */
  readonly shares: number
}

/** Restores albums, saved searches and shares around images that have been uploaded. Nothing that is there is replaced, so it can be
 *  repeated, and an interrupted one resumes. */
export async function restoreLibrary(
  connection: ServerConnection,
  { albums, views, shares }: Pick<Library, 'albums' | 'views' | 'shares'>,
  images: NewIds,
): Promise<RestoredLibrary> {
  const problems: string[] = []
  const newAlbums = new Map<string, string>()
  const taken = new Set<string>()
  const attempt = async (name: string, work: () => Promise<void>) => {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof ItemFailed)) throw error
      problems.push(translate('cli.albums.notRestored', { name, reason: error.message }))
    }
  }
  for (const album of albums) {
    await attempt(album.title, async () => {
      const found = await openAlbum(connection, album, taken)
      taken.add(found.id)
      newAlbums.set(album.id, found.id)
      await fillAlbum(connection, album, found, images)
    })
  }
  for (const view of views) await attempt(view.name, () => restoreView(connection, view, newAlbums))
  const restored = await restoreShares(connection, shares, { images, albums: newAlbums })
  return { problems: [...problems, ...restored.problems], shares: restored.count }
}

interface Target {
  readonly id: string
  readonly description: string
  readonly order: ManifestAlbum['order']
  readonly coverId: string | null
}

/** Returns the user's album of this title that no other one of the export stands for, the oldest first; creates one if there is
 *  none. Several albums may have one title. */
function openAlbum(connection: ServerConnection, album: ManifestAlbum, taken: ReadonlySet<string>): Promise<Target> {
  const { api, patience, signal } = connection
  // The search is part of what is repeated: an answer may be lost after the album was created.
  return patience.run(async () => {
    const titled = await findTitled(connection, album.title)
    const free = titled.filter(({ id }) => !taken.has(id)).toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1))
    const { title, description, visibility } = album
    return free[0] ?? (await api.album.create.mutate({ title, description, visibility }, { signal }))
  })
}

/** Adds the images at their places, and sets what the album does not have yet. */
async function fillAlbum(
  { api, patience, signal }: ServerConnection,
  { images, coverId, description, order }: ManifestAlbum,
  found: Target,
  newIds: NewIds,
): Promise<void> {
  const places = images.flatMap(({ id, rank }) => {
    const image = newIds.get(id)
    return image === undefined ? [] : { image, rank }
  })
  for (const some of chunks(places, IMAGES)) {
    const input = { id: found.id, images: some.map(({ image }) => image), ranks: some.map(({ rank }) => rank) }
    await patience.run(() => api.album.add.mutate(input, { signal }))
  }
  const cover = coverId === null ? undefined : newIds.get(coverId)
  const changes = {
    ...(found.description === '' && description !== '' && { description }),
    ...(found.order === 'manual' && order !== 'manual' && { order }),
    ...(found.coverId === null && cover !== undefined && { coverId: cover }),
  }
  if (Object.keys(changes).length === 0) return
  await patience.run(() => api.album.update.mutate({ id: found.id, ...changes }, { signal }))
}

/** Saves a search, unless there is one of its name. One within an album names it by its ID. */
async function restoreView(
  { api, patience, signal }: ServerConnection,
  { name, terms }: ManifestView,
  newAlbums: NewIds,
): Promise<void> {
  const album = newAlbums.get(terms.query?.album ?? '')
  const input = { name, terms: album === undefined ? terms : { ...terms, query: { ...terms.query, album } } }
  await patience.run(async () => {
    const { items } = await api.view.list.query(undefined, { signal })
    if (!items.some((view) => view.name === name)) await api.view.create.mutate(input, { signal })
  })
}
