import { z } from 'zod'
import { invalid } from '#server/errors/invalid.ts'

/** The last image of a page, after which the next page starts. */
export interface Position {
  /** The time that the list is ordered by. */
  readonly at: Date
  readonly id: string
}

/** Not before 1970: no image is older, and the database and JavaScript format these years alike. */
const instant = z.iso.datetime({ precision: 3 }).refine((text) => Date.parse(text) >= 0)

const position = z.tuple([instant, z.uuid()])

export const encodeCursor = ({ at, id }: Position): string =>
  Buffer.from(`${at.toISOString()} ${id}`).toString('base64url')

/** The input for a cursor, which is opaque to clients; rejects text that is not from `encodeCursor`. */
export const cursorInput = z
  .string()
  .max(100)
  .transform((text, ctx): Position => {
    const decoded = position.safeParse(Buffer.from(text, 'base64url').toString().split(' '))
    if (decoded.success) return { at: new Date(decoded.data[0]), id: decoded.data[1] }
    ctx.addIssue(invalid('cursor'))
    return z.NEVER
  })
