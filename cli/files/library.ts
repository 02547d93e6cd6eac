import { z } from 'zod'
import type { Api } from '../connection/api.ts'
import type { ServerConnection } from '../connection/connection.ts'
import { isUnknownProcedure } from '../connection/server-error.ts'
import { myShares } from './my-shares.ts'

/** An album in an export. */
export const manifestAlbum = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string().default(''),
  visibility: z.enum(['private', 'link', 'public']).default('private'),
  order: z.enum(['manual', 'newest', 'oldest']).catch('manual'),
  /** The image chosen as cover; null for the first. */
  coverId: z.string().nullable().default(null),
  /** In the album's own order, by the IDs of the export. */
  images: z.array(z.object({ id: z.string(), rank: z.string() })),
})

type Terms = Parameters<Api['view']['create']['mutate']>[0]['terms']

/** A saved search, as `image.list` takes it: the server says what of it it does not know. */
export const manifestView = z.object({
  name: z.string(),
  terms: z.custom<Terms>((terms) => typeof terms === 'object' && terms !== null),
})

export type ManifestAlbum = Readonly<z.infer<typeof manifestAlbum>>
export type ManifestView = Readonly<z.infer<typeof manifestView>>

/** What an export has beside its images. */
export interface Library {
  /** Those changed last at the end. */
  albums: ManifestAlbum[]
  /** The names of all tags. */
  tags: string[]
  views: ManifestView[]
  /** What links show and how they end, without their tokens. */
  shares: unknown[]
}

/** Reads the user's albums, tags, saved searches and shares; none from a server of an older version. */
export async function readLibrary(connection: ServerConnection): Promise<Library> {
  try {
    return await read(connection)
  } catch (error) {
    if (isUnknownProcedure(error)) return { albums: [], tags: [], views: [], shares: [] }
    throw error
  }
}

async function read(connection: ServerConnection): Promise<Library> {
  const { api, patience, signal } = connection
  const { albums, tags, views } = await patience.run(() => api.library.show.query(undefined, { signal }))
  const withImages: ManifestAlbum[] = []
  for (const album of albums) withImages.push({ ...album, images: await readPlaces(connection, album.id) })
  const shares = await Array.fromAsync(myShares(connection))
  return {
    albums: withImages,
    tags: [...tags],
    views: z.array(manifestView).parse(views),
    shares: shares.map(({ url: _, thumbnails: __, today: ___, owner: ____, ...share }) => share),
  }
}

async function readPlaces({ api, patience, signal }: ServerConnection, id: string): Promise<ManifestAlbum['images']> {
  const images: ManifestAlbum['images'] = []
  for (;;) {
    const after = images.at(-1)
    const { items, isLast } = await patience.run(() =>
      api.library.places.query({ id, ...(after && { after }) }, { signal }),
    )
    images.push(...items)
    if (isLast) return images
  }
}
