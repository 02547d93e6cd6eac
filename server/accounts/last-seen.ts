import type { PrismaClient } from '#server/database/database.ts'

/** How exactly `lastSeenAt` is known: an account that sends requests all day causes one write in this time. */
const INTERVAL_MS = 10 * 60_000

interface SeenUser {
  readonly id: string
  readonly lastSeenAt: Date | null
}

const isRecent = (at: Date | null, now: number): boolean => at !== null && now - at.getTime() < INTERVAL_MS

/** Records that an account has sent a request, unless it was seen in the last ten minutes. Never waits for a locked row: whoever
 *  holds the lock changes the account, and the next request is recorded. */
export async function noteSeen(db: PrismaClient, user: SeenUser, now = Date.now()): Promise<void> {
  if (isRecent(user.lastSeenAt, now)) return
  await db.$executeRaw`
    UPDATE "User" SET "lastSeenAt" = ${new Date(now)} WHERE "id" IN (
      SELECT "id" FROM "User" WHERE "id" = ${user.id}::uuid AND "lastSeenAt" IS NOT DISTINCT FROM ${user.lastSeenAt}
      FOR NO KEY UPDATE SKIP LOCKED)`
}

/** Records the same of a session, for its user to see. */
export async function noteUsed(
  db: PrismaClient,
  { id, lastUsedAt }: { readonly id: string; readonly lastUsedAt: Date | null },
  now = Date.now(),
): Promise<void> {
  if (isRecent(lastUsedAt, now)) return
  await db.session.updateMany({ where: { id, lastUsedAt }, data: { lastUsedAt: new Date(now) } })
}
