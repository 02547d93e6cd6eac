import { z } from 'zod'
import type { Viewer } from '#server/accounts/viewer.ts'
import type { PrismaClient } from '#server/database/database.ts'
import { refuse } from '#server/errors/refuse.ts'
import { Prisma } from '../../../generated/prisma/client.ts'
import { tagKey } from '../tag-name.ts'
import { dateConditions, fieldConditions } from './field-conditions.ts'
import { chooseOrder, type Order } from './order.ts'
import { nameList } from './place-cursor.ts'
import type { ImageQuery, Listed } from './query.ts'
import { albumOrder, chooseScope, type ListScope, mayBeRead, reachOf } from './rights.ts'
import { fieldTerms, filedTerm, ownerTerm, publicTerm, wordTerm } from './terms.ts'
import { findWords, hasWord } from './words.ts'

/** Which images a list has, and in which order, as parts of a query on the row `image`. */
export interface Selection {
  /** For cursors. */
  readonly name: string
  readonly order: Order
  /** What an index in that order can begin with. */
  readonly start: readonly Prisma.Sql[]
  /** What is to be checked of each image besides. */
  readonly conditions: readonly Prisma.Sql[]
  /** Whether nearly every image that such an index yields is one of the list, or so few are read that they can be sorted. */
  readonly isReadInOrder: boolean
  /** Terms that all of these images have, for the index of terms; none if another index is better. */
  readonly terms: readonly string[]
  /** Joined as `in`, and its images are all that is read; null for any. */
  readonly album: string | null
}

interface Source {
  readonly db: PrismaClient
  readonly site: { read(): { readonly gallery: boolean } }
}

/** Returns the images that a viewer asks for and may see. Throws if they may not list them. */
export async function select({ db, site }: Source, viewer: Viewer | null, asked: Listed): Promise<Selection> {
  const { query = {}, trash } = asked
  const scope = chooseScope(viewer, asked, site.read().gallery)
  if (query.favourite !== undefined && !viewer) throw refuse('signed-out')
  const ownOrder = query.album && (await albumOrder(db, viewer, query.album))
  const sort = asked.sort ?? (ownOrder || undefined)
  const sorted = { ...asked, sort }
  const order = chooseOrder(sorted)
  const { album = null } = query
  const isShort = album !== null && !(await isLargeAlbum(db, album))
  const found = await findNames(db, viewer, scope, query)
  const tells = order.tells || [query.text, query.tag, query.album].some((value) => value !== undefined)
  const readable = tells ? mayBeRead(viewer, scope) : null
  const dates = dateConditions(query, asked.by)
  const isByDate = order.type === 'timestamptz' && !trash
  const narrowing = [
    ...(readable ? [readable] : []),
    ...(isByDate ? [] : dates),
    ...fieldConditions(viewer, query),
    ...found.conditions,
  ]
  const terms = [...fieldTerms(query), ...found.terms]
  return {
    name: nameList({ ...sorted, scope }),
    order,
    start: [
      ...startOf(viewer, scope, query),
      ...(isByDate ? dates : []),
      ...(trash ? [Prisma.sql`"image"."trashedAt" IS NOT NULL`] : []),
    ],
    conditions: [...(trash ? [] : [Prisma.sql`"image"."trashedAt" IS NULL`]), ...narrowing],
    isReadInOrder: isShort || (narrowing.length === 0 && (album === null || order.isOfAlbum === true)),
    terms: terms.length > 0 ? [...startTerms(viewer, scope, query), ...terms] : [],
    album,
  }
}

/** An album of more images than these is not sorted for each page of it. */
const LARGE = 1_000

const largeRows = z.tuple([z.object({ isLarge: z.boolean() })])

async function isLargeAlbum(db: PrismaClient, id: string): Promise<boolean> {
  const rows = await db.$queryRaw`
    SELECT EXISTS (SELECT FROM "AlbumImage" WHERE "albumId" = ${id}::uuid OFFSET ${LARGE}) AS "isLarge"`
  return largeRows.parse(rows)[0].isLarge
}

/** Text and tag, as far as names have to be looked up for them. */
async function findNames(db: PrismaClient, viewer: Viewer | null, scope: ListScope, { text, tag }: ImageQuery) {
  const reach = reachOf(viewer, scope)
  const words = text ? await findWords(db, text, reach) : []
  const conditions = words.map((word) => hasWord(word, reach))
  const terms = words.flatMap((word) => wordTerm(word) ?? [])
  if (tag === undefined) return { conditions, terms }
  const tags = await db.tag.findMany({
    where: { nameKey: tagKey(tag), ...(scope === 'mine' && viewer && { ownerId: viewer.userId }) },
    select: { id: true },
  })
  const ids = tags.map(({ id }) => id)
  if (ids.length === 0) return { conditions: [Prisma.sql`FALSE`], terms }
  return {
    conditions: [...conditions, Prisma.sql`"image"."filedUnder" && ${ids}::uuid[]`],
    terms: [...terms, filedTerm(ids)],
  }
}

function startOf(viewer: Viewer | null, scope: ListScope, { owner }: ImageQuery): Prisma.Sql[] {
  return [
    ...(scope === 'mine' ? [Prisma.sql`"image"."ownerId" = ${viewer?.userId}::uuid`] : []),
    ...(scope === 'gallery' ? [Prisma.sql`"image"."visibility" = 'public'`] : []),
    ...(owner ? [Prisma.sql`"image"."ownerId" = ${owner}::uuid`] : []),
  ]
}

const startTerms = (viewer: Viewer | null, scope: ListScope, { owner }: ImageQuery): string[] => [
  ...(scope === 'mine' && viewer ? [ownerTerm(viewer.userId)] : []),
  ...(scope === 'gallery' ? [publicTerm] : []),
  ...(owner ? [ownerTerm(owner)] : []),
]
