import { z } from 'zod'
import type { PrismaClient } from './database.ts'

const rows = z.tuple([z.object({ now: z.date() })])

/** The time by the database's clock, which all processes share: where one machine's own is days off, nothing is removed for
 *  good too early. */
export async function timeOf(db: Pick<PrismaClient, '$queryRaw'>): Promise<Date> {
  return rows.parse(await db.$queryRaw`SELECT clock_timestamp() AS "now"`)[0].now
}
