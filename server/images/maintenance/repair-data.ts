import type { PrismaClient } from '#server/database/database.ts'
import { imageOfKey, isObjectKey, type ObjectStore } from '#server/storage/object-store.ts'
import { removeObject, removeUnneeded } from '../storing/object-removal.ts'
import { type Finding, recount } from './check-data.ts'
import { markDue } from './variant-jobs.ts'

/**
 * Repairs what can be repaired without loss: recounts users' storage, deletes objects that no row references or that await
 * deletion, and marks lost variants for the server to re-create. Images' rows are left alone: other missing or corrupt
 * objects may be restored from a backup.
 */
export async function repairData(
  { db, store }: { readonly db: PrismaClient; readonly store: ObjectStore },
  findings: readonly Finding[],
): Promise<Record<'recounted' | 'orphans removed' | 'marked bytes removed' | 'variants left to be made anew', number>> {
  const done = { recounted: 0, 'orphans removed': 0, 'marked bytes removed': 0, 'variants left to be made anew': 0 }
  for (const finding of findings) {
    if (finding.kind === 'miscounted') {
      await recount(db, finding.userId)
      done.recounted += 1
    } else if (finding.kind === 'orphan' && isObjectKey(finding.key)) {
      const removed = await removeUnneeded(db, store, imageOfKey(finding.key), [finding.key])
      done['orphans removed'] += removed?.includes(finding.key) ? 1 : 0
    } else if (finding.kind === 'marked') {
      done['marked bytes removed'] += (await removeObject(db, store, finding.key)) ? 1 : 0
    } else if (isLost(finding) && isObjectKey(finding.key) && imageOfKey(finding.key) !== finding.key) {
      done['variants left to be made anew'] += (await markDue(db, imageOfKey(finding.key))).count
    }
  }
  return done
}

const isLost = (finding: Finding): finding is Extract<Finding, { kind: 'missing' | 'corrupt' | 'wrong size' }> =>
  finding.kind === 'missing' || finding.kind === 'corrupt' || finding.kind === 'wrong size'
