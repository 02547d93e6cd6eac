import { createHash } from 'node:crypto'
import { z } from 'zod'
import { invalid } from '#server/errors/invalid.ts'
import { refuse } from '#server/errors/refuse.ts'
import type { Order, Place } from './order.ts'
import type { Listed } from './query.ts'
import type { ListScope } from './rights.ts'

/** Longer than the cursor of the longest title. */
const LONGEST = 2_000

const decoded = z.tuple([z.string(), z.uuid(), z.string()])

/** The input for a cursor, which is opaque to clients: the list that it is of, and a place in it. */
export const placeCursor = z
  .string()
  .max(LONGEST)
  .transform((text, ctx) => {
    const parsed = decoded.safeParse(parseJson(Buffer.from(text, 'base64url').toString()))
    if (parsed.success) return { list: parsed.data[0], place: { id: parsed.data[1], key: parsed.data[2] } }
    ctx.addIssue(invalid('cursor'))
    return z.NEVER
  })

export const encodePlace = (list: string, { key, id }: Place): string =>
  Buffer.from(JSON.stringify([list, id, key])).toString('base64url')

/** Names a list by what was asked for, so that a cursor is only good for its own. */
export function nameList({
  scope,
  trash,
  query = {},
  sort,
  by,
}: Omit<Listed, 'scope'> & { readonly scope: ListScope }): string {
  const asked = Object.entries(query).sort(([one], [other]) => (one < other ? -1 : 1))
  const order = sort ?? (query.album && !trash ? 'album' : 'newest')
  const text = JSON.stringify([scope, trash, asked, order, by])
  return createHash('sha256').update(text).digest('base64url').slice(0, 8)
}

/** Returns the place of a cursor. Throws if it is of a list other than the one named `list`. */
export function placeIn(list: string, order: Order, cursor: z.output<typeof placeCursor>): Place {
  if (cursor.list !== list || !keys[order.type].safeParse(cursor.place.key).success)
    throw refuse('cursor-of-other-list')
  return cursor.place
}

/** What the database can read; the year 0000 is an error to it. */
const keys = {
  timestamptz: z.iso.datetime({ precision: 3 }).regex(/^(?!0000)\d{4}-/),
  integer: z.string().regex(/^\d{1,9}$/),
  text: z.string().regex(/^[^\0]*$/),
} as const satisfies Record<Order['type'], z.ZodType<string>>

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
