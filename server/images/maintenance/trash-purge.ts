import type { PrismaClient } from '#server/database/database.ts'
import { transact } from '#server/database/transact.ts'
import { imagesDue, purgeRow } from '../storing/purge-rows.ts'
import type { Removals } from '../storing/removals.ts'

const DAY_MS = 24 * 60 * 60_000
const PAGE = 100

/** Returns when an image in the trash is purged; null if it is not in the trash, or if nothing purges it (`days` is 0). */
export function purgeTime(trashedAt: Date | null, days: number): Date | null {
  return trashedAt && days > 0 ? new Date(trashedAt.getTime() + days * DAY_MS) : null
}

/** Purges the images that are due at `now`, in short transactions of one image each. Returns their number. */
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
