import { z } from 'zod'
import type { PrismaClient } from './database.ts'

const rows = z.tuple([z.object({ now: z.date() })])

/** Returns the time by the database's clock, which all processes share, so that a machine whose clock is days off does
 *  not delete anything too early. */
export async function readDatabaseTime(db: Pick<PrismaClient, '$queryRaw'>): Promise<Date> {
  return rows.parse(await db.$queryRaw`SELECT clock_timestamp() AS "now"`)[0].now
}
