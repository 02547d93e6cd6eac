import type { PrismaClient } from '#server/database/database.ts'
import { beginPause, endPause, PAUSE_MS, prolongPause } from '#server/images/storing/removal-pause.ts'
import { BackupFailed } from './format.ts'

/** A pause of object removals, kept alive until it is disposed. */
export interface KeptPause extends AsyncDisposable {
  /** Throws BackupFailed if the pause has lapsed, so that objects may have been deleted. */
  check(): Promise<void>
}

/** Begins a pause, and prolongs it every quarter of its duration. */
export async function keepPause(db: PrismaClient): Promise<KeptPause> {
  const id = await beginPause(db)
  // A failed attempt is followed by the next; `check` decides whether the pause has lapsed.
  const timer = setInterval(() => void prolongPause(db, id).catch(() => undefined), PAUSE_MS / 4).unref()
  return {
    async check() {
      if (await prolongPause(db, id)) return
      throw new BackupFailed(
        'The database was unavailable for so long that objects may be missing. Start the backup again.',
      )
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      // If the database is unavailable, the pause lapses.
      await endPause(db, id).catch(() => undefined)
    },
  }
}
