import { z } from 'zod'
import { invalid } from '#server/errors/invalid.ts'
import type { Decision } from '#server/limits/decision.ts'
import { publicProcedure } from '#server/trpc/init.ts'
import { Prisma } from '../../../generated/prisma/client.ts'
import { findReadable } from '../find-image.ts'
import { type ImageItem, toItems } from '../image-item.ts'
import { imageColumns } from '../image-row.ts'
import { view } from '../limits.ts'
import { chargeSearch } from './charge-search.ts'
import { reverse } from './order.ts'
import { hasNoTrash, listed } from './query.ts'
import { readPage } from './read-page.ts'
import { chooseScope, mayBeRead } from './rights.ts'
import { select } from './selection.ts'

const input = z
  .strictObject({
    id: z.uuid(),
    ...listed,
    trash: z.boolean().default(false),
    /** On each side. */
    count: z.int().min(1).max(20).default(1),
  })
  .refine((list) => !hasNoTrash(list), invalid('galleryTrash'))

/** The images around one in a list, in the list's order. Those that the viewer may not open are left out. */
export interface Neighbours {
  readonly before: ImageItem[]
  readonly after: ImageItem[]
  /** Whether the viewer has enough permits left for a page to load the next image ahead. */
  readonly isAmple: boolean
}

/** Returns the images before and after one in the list that `image.list` returns for the same input: none if it is not in it. */
export const neighbours = publicProcedure
  .meta({ limits: view, scope: 'read' })
  .input(input)
  .query(async ({ ctx, input }): Promise<Neighbours> => {
    const { app, viewer, decisions } = ctx
    const { id, count, ...asked } = input
    await findReadable(app.db, viewer, { id })
    await chargeSearch(ctx, asked)
    const list = await select(app, viewer, asked)
    const readable = mayBeRead(viewer, chooseScope(viewer, asked, app.site.read().gallery))
    const selection = { ...list, conditions: [...list.conditions, ...(readable ? [readable] : [])] }
    const own = { ...selection, start: [...selection.start, Prisma.sql`"image"."id" = ${id}::uuid`] }
    const [place] = await readPage(app.db, own, { after: null, most: 1 })
    const page = { after: place ?? null, most: count }
    const after = place ? await readPage(app.db, selection, page) : []
    const before = place ? await readPage(app.db, { ...selection, order: reverse(selection.order) }, page) : []
    const ids = [...before, ...after].map((each) => each.id)
    const rows = await app.db.image.findMany({ where: { id: { in: ids } }, select: imageColumns })
    const items = new Map((await toItems(rows, viewer, app)).map((item) => [item.id, item]))
    return {
      before: before.toReversed().flatMap((each) => items.get(each.id) ?? []),
      after: after.flatMap((each) => items.get(each.id) ?? []),
      isAmple: hasAmple(decisions),
    }
  })

/** Of every rule that the call was charged to, a fifth is left. */
const hasAmple = (decisions: readonly Decision[]): boolean =>
  decisions.every(({ rules }) => rules.every(({ limit, remaining }) => remaining >= limit / 5))
