import { z } from 'zod'
import type { Api } from '../connection/api.ts'
import type { ServerConnection } from '../connection/connection.ts'
import { isUnknownProcedure } from '../connection/server-error.ts'

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

/** A share in an export. Those of older versions lack what restores it. */
export const manifestShare = z.object({
  createdAt: z.string(),
  title: z.string(),
  passwordHash: z.string().nullable(),
  showsTitles: z.boolean(),
  originals: z.boolean(),
  expiresAt: z.string().nullable(),
  maxViews: z.number().nullable(),
  views: z.number(),
  limits: z.object({
    requestsPerHour: z.number().nullable(),
    requestsPerDay: z.number().nullable(),
    bytesPerDay: z.number().nullable(),
  }),
  /** By its ID of the export; null for images. */
  album: z.string().nullable(),
  images: z.array(z.object({ id: z.string(), position: z.number() })),
})

export type ManifestShare = Readonly<z.infer<typeof manifestShare>>

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
  /** Shares that have not ended, with the hashes of their passwords and without their links. */
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
  return {
    albums: withImages,
    tags: [...tags],
    views: z.array(manifestView).parse(views),
    shares: await readShares(connection),
  }
}

/** Returns no shares from a server of a version that cannot export them. */
async function readShares({ api, patience, signal }: ServerConnection): Promise<unknown[]> {
  const shares: unknown[] = []
  let cursor: string | undefined
  try {
    do {
      const { items, nextCursor } = await patience.run(() =>
        api.share.export.query({ ...(cursor && { cursor }) }, { signal }),
      )
      shares.push(...items)
      cursor = nextCursor ?? undefined
    } while (cursor)
    return shares
  } catch (error) {
    if (isUnknownProcedure(error)) return []
    throw error
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
