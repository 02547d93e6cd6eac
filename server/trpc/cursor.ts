import { z } from 'zod'
import { invalid } from '#server/errors/invalid.ts'

/** The last row of a page, after which the next page starts. */
export interface Position {
  /** The time that the list is ordered by. */
  readonly at: Date
  readonly id: string
}

/** An instant to compare with stored ones, ISO 8601 with milliseconds. Not before 1970: nothing stored is older, and the database
 *  and JavaScript format these years alike, whereas the year 0000 is an error to the database. */
export const instant = z.iso.datetime({ precision: 3 }).refine((text) => Date.parse(text) >= 0)

export const encodeCursor = ({ at, id }: Position): string =>
  Buffer.from(`${at.toISOString()} ${id}`).toString('base64url')

/** Returns the input for a cursor, which is opaque to clients; it rejects text that is not from `encodeCursor`. */
export function cursorInput(id: z.ZodType<string>) {
  const position = z.tuple([instant, id])
  return z
    .string()
    .max(100)
    .transform((text, ctx): Position => {
      const decoded = position.safeParse(Buffer.from(text, 'base64url').toString().split(' '))
      if (decoded.success) return { at: new Date(decoded.data[0]), id: decoded.data[1] }
      ctx.addIssue(invalid('cursor'))
      return z.NEVER
    })
}
