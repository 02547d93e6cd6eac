import { randomUUID } from 'node:crypto'
import type { PrismaClient } from '#server/database/database.ts'

/** Adds a job that is due in an hour. Returns its id. */
export async function waitingJob(db: PrismaClient, name = 'removal'): Promise<string> {
  const id = randomUUID()
  await db.$executeRaw`
    INSERT INTO "jobs"."job" ("id", "name", "data", "start_after", "singleton_key")
    VALUES (${id}::uuid, ${name}, '{"sha256": "none"}', now() + interval '1 hour', ${id})`
  return id
}
