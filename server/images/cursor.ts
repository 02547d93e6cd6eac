import { z } from 'zod'

/** The last image of a page: the next begins after it. */
export interface Position {
  /** What the list is ordered by. */
  readonly at: Date
  readonly id: string
}

/** Years that the database and JavaScript write alike; no image is older. */
const instant = z.iso.datetime({ precision: 3 }).refine((text) => Date.parse(text) >= 0)

const position = z.tuple([instant, z.uuid()])

export const encodeCursor = ({ at, id }: Position): string =>
  Buffer.from(`${at.toISOString()} ${id}`).toString('base64url')

/** Input of a list: opaque to clients, and a bad request unless it came from `encodeCursor`. */
export const cursorInput = z
  .string()
  .max(100)
  .transform((text, ctx): Position => {
    const decoded = position.safeParse(Buffer.from(text, 'base64url').toString().split(' '))
    if (decoded.success) return { at: new Date(decoded.data[0]), id: decoded.data[1] }
    ctx.addIssue('This is not a cursor from an earlier answer.')
    return z.NEVER
  })
