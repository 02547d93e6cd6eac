import type { PrismaClient } from '#server/database/database.ts'
import { transact } from '#server/database/transact.ts'
import { imagesDue, purgeRow } from '../storing/purge-rows.ts'
import type { Removals } from '../storing/removals.ts'

const DAY_MS = 24 * 60 * 60_000
const PAGE = 100

/** When an image that lies in the trash is purged; null when it does not, or stays until somebody purges it (`days` 0). */
export function purgeTime(trashedAt: Date | null, days: number): Date | null {
  return trashedAt && days > 0 ? new Date(trashedAt.getTime() + days * DAY_MS) : null
}

/**
 * Purges the images whose time in the trash is over at `now`, one transaction each, so that nobody waits long; answers how
 * many.
 */
export async function purgeDue(
  db: PrismaClient,
  {
    days,
    now,
    removals,
    signal,
  }: {
    readonly days: number
    readonly now: Date
    readonly removals: Pick<Removals, 'add'>
    readonly signal?: AbortSignal
  },
): Promise<number> {
  if (days === 0) return 0
  const before = new Date(now.getTime() - days * DAY_MS)
  let purged = 0
  for (;;) {
    const due = await imagesDue(db, before, PAGE)
    for (const image of due) {
      signal?.throwIfAborted()
      const isPurged = await transact(db, async (tx) => {
        if (!(await purgeRow(tx, image, before))) return false
        await removals.add(tx, [image.sha256])
        return true
      })
      purged += isPurged ? 1 : 0
    }
    if (due.length < PAGE) return purged
  }
}
