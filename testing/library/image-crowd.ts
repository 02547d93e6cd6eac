import type { TestApp } from '../sluice/sluice-app.ts'

/** Images of an owner of many, apart from dates, titles and sizes in orders of their own. */
export const crowd = Array.from({ length: 1_500 }, (_, n) => ({
  n,
  createdAt: n,
  datedAt: n % 2 === 0 ? (n * 7) % 1_500 : n + 10_000,
  title: (n * 11) % 1_500,
  size: (n * 13) % 1_500,
}))
/** Words of their descriptions, and which images have each. */
export const crowdWords: Readonly<Record<string, (n: number) => boolean>> = {
  everywhere: () => true,
  thirds: (n) => n % 3 === 0,
  oldest: (n) => n < 400,
  middle: (n) => n >= 700 && n < 720,
  single: (n) => n === 900,
  nowhere: () => false,
}

export interface CrowdOrder {
  readonly sort?: 'newest' | 'oldest' | 'title' | 'largest'
  readonly by?: 'taken'
}

/** Returns the numbers of images in an order. */
export function inOrder(images: typeof crowd, { sort, by }: CrowdOrder): readonly number[] {
  const key = sort === 'title' ? 'title' : sort === 'largest' ? 'size' : by === 'taken' ? 'datedAt' : 'createdAt'
  const direction = sort === 'title' || sort === 'oldest' ? 1 : -1
  return images.toSorted((one, other) => (one[key] - other[key]) * direction).map(({ n }) => n)
}

/** Of an album of most of them, in the order of their numbers. */
export const isInAlbum = (n: number): boolean => n < 1_200

/** Inserts these images without bytes, and the album, whose ID is returned. Their file names are their numbers. */
export async function insertCrowd({ app: { db } }: TestApp, ownerId: string): Promise<string> {
  const rows = crowd.map(({ n, createdAt, datedAt, title, size }) => {
    const words = Object.entries(crowdWords).flatMap(([word, has]) => (has(n) ? [word] : []))
    const at = (minutes: number) => new Date(Date.UTC(2026, 0, 1) + minutes * 60_000)
    const own = {
      ownerId,
      sha256: `crowd${n}`,
      slug: `crowd${n}`,
      mime: 'image/png',
      width: 4,
      height: 3,
      size: size + 1,
    }
    const texts = { title: `${title}`, description: words.join(' '), filename: `${n}` }
    return { ...own, ...texts, createdAt: at(createdAt), takenAt: datedAt < 1_500 ? at(datedAt - 10_000) : at(datedAt) }
  })
  await db.storedObject.createMany({ data: rows.map(({ sha256 }) => ({ sha256, size: 1 })) })
  await db.image.createMany({ data: rows })
  const album = await db.album.create({ data: { ownerId, title: 'crowd', slug: 'crowd' }, select: { id: true } })
  const images = await db.image.findMany({ where: { ownerId }, select: { id: true, filename: true } })
  const places = images
    .map(({ id, filename }) => ({ imageId: id, n: Number(filename) }))
    .filter(({ n }) => isInAlbum(n))
  const rank = (n: number) => `a${`${n}`.padStart(5, '0')}1`
  await db.albumImage.createMany({
    data: places.map(({ imageId, n }) => ({ albumId: album.id, imageId, rank: rank(n) })),
  })
  return album.id
}
