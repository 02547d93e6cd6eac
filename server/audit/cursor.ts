import { z } from 'zod'
import { cursorInput, type Position } from '#server/trpc/cursor.ts'
import { Prisma } from '../../generated/prisma/client.ts'

/** The last entry of a page. */
export const auditCursor = cursorInput(z.string().regex(/^[1-9]\d{0,17}$/))

/** The condition for entries after a position, newest first. The first part is implied by the second, but is the one that an index
 *  scan can start from. */
export const afterPosition = ({ at, id }: Position): Prisma.Sql =>
  Prisma.sql`"at" <= ${at} AND ("at", "id") < (${at}, ${id}::bigint)`
