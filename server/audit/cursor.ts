import { z } from 'zod'
import { invalid } from '#server/errors/invalid.ts'
import { Prisma } from '../../generated/prisma/client.ts'

/** The last entry of a page, after which the next one starts. */
export interface AuditPosition {
  readonly at: Date
  readonly id: string
}

const position = z.tuple([z.iso.datetime({ precision: 3 }), z.string().regex(/^[1-9]\d{0,17}$/)])

export const encodePosition = ({ at, id }: AuditPosition): string =>
  Buffer.from(`${at.toISOString()} ${id}`).toString('base64url')

/** The input for a cursor, which is opaque to clients. */
export const auditCursor = z
  .string()
  .max(100)
  .transform((text, ctx): AuditPosition => {
    const decoded = position.safeParse(Buffer.from(text, 'base64url').toString().split(' '))
    if (decoded.success) return { at: new Date(decoded.data[0]), id: decoded.data[1] }
    ctx.addIssue(invalid('cursor'))
    return z.NEVER
  })

/** The condition for entries after a position, newest first. The first part is implied by the second, but is the one that an index
 *  scan can start from. */
export const afterPosition = ({ at, id }: AuditPosition): Prisma.Sql =>
  Prisma.sql`"at" <= ${at} AND ("at", "id") < (${at}, ${id}::bigint)`
