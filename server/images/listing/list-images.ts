import { z } from 'zod'
import type { PrismaClient } from '#server/database/database.ts'
import { invalid } from '#server/errors/invalid.ts'
import { publicProcedure } from '#server/trpc/init.ts'
import { LastAnswers } from '#server/trpc/last-answers.ts'
import { mayRead } from '../access.ts'
import { type ImageItem, toItems } from '../image-item.ts'
import { type ImageRow, imageColumns } from '../image-row.ts'
import { view } from '../limits.ts'
import { isSearched } from './charge-search.ts'
import { searchedPages } from './limits.ts'
import { type Place, reverse } from './order.ts'
import { encodePlace, placeCursor, placeIn } from './place-cursor.ts'
import { hasNoTrash, listed } from './query.ts'
import { readPage } from './read-page.ts'
import { type Selection, select } from './selection.ts'

const input = z
  .strictObject({
    ...listed,
    trash: z.boolean().default(false),
    cursor: placeCursor.optional(),
    limit: z.int().min(1).max(100).default(30),
    /** Asks for `previousCursor` too. */
    previous: z.boolean().default(false),
  })
  .refine((list) => !hasNoTrash(list), invalid('galleryTrash'))

/** The images of a page under pressure, and how long it is remembered in milliseconds: which images, and never what they show. */
const SMALL = 12
const lastPlaces = new LastAnswers<readonly Place[]>(60_000)

/** A page of a list. */
export interface ImagePage {
  readonly items: ImageItem[]
  /** Null on the last page. */
  readonly nextCursor: string | null
  /** Where the page before this one begins; null for the first. Missing unless asked for. */
  readonly previousCursor?: string | null
}

/** Returns a page of images, newest first unless said, those in the trash by when they were deleted. */
export const listImages = publicProcedure
  .meta({ limits: view, scope: 'read' })
  .input(input.prefault({}))
  .query(async ({ ctx, input }): Promise<ImagePage> => {
    const { cursor, limit: wanted, previous, ...asked } = input
    const { db } = ctx.app
    const isLess = isSearched(asked) && (await ctx.charge(searchedPages)).degradedBy !== null
    const limit = isLess ? Math.min(wanted, SMALL) : wanted
    const selection = await select(ctx.app, ctx.viewer, asked)
    const after = cursor ? placeIn(selection.name, selection.order, cursor) : null
    const known = isLess ? lastPlaces.find(ctx, input) : undefined
    const places = known ?? (await readPage(db, selection, { after, most: limit + 1 }))
    if (isSearched(asked) && !known) lastPlaces.keep(ctx, input, places)
    const page = places.slice(0, limit)
    const last = page.at(-1)
    const before = previous && after ? await readBefore(db, selection, { first: page[0], limit }) : null
    const rows = await db.image.findMany({ where: { id: { in: page.map(({ id }) => id) } }, select: imageColumns })
    const isThere = (row: ImageRow) => (row.trashedAt !== null) === asked.trash && mayRead(ctx.viewer, row)
    const byId = new Map(rows.filter((row) => !known || isThere(row)).map((row) => [row.id, row]))
    return {
      items: await toItems(
        page.flatMap(({ id }) => byId.get(id) ?? []),
        ctx.viewer,
        ctx.app,
      ),
      nextCursor: places.length > page.length && last ? encodePlace(selection.name, last) : null,
      ...(previous && { previousCursor: before && encodePlace(selection.name, before) }),
    }
  })

/** Returns the place after which the page before the one that begins with `first` begins; null for the beginning of the list. */
async function readBefore(
  db: PrismaClient,
  selection: Selection,
  { first, limit }: { readonly first: Place | undefined; readonly limit: number },
): Promise<Place | null> {
  if (!first) return null
  const backwards = { ...selection, order: reverse(selection.order) }
  return (await readPage(db, backwards, { after: first, most: limit + 1 }))[limit] ?? null
}
