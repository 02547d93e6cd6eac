import type { PrismaClient } from '#server/database/database.ts'
import { beginPause, endPause, PAUSE_MS, prolongPause } from '#server/images/storing/removal-pause.ts'
import { BackupFailed } from './format.ts'

/** A pause of removals that lasts as long as this process says so. */
export interface KeptPause extends AsyncDisposable {
  /** Throws BackupFailed where bytes may have been deleted meanwhile. */
  check(): Promise<void>
}

/** Begins a pause, and prolongs it four times in the time that it would last by itself. */
export async function keepPause(db: PrismaClient): Promise<KeptPause> {
  const id = await beginPause(db)
  // A database that is away for a moment is asked again; what counts is decided by `check`.
  const timer = setInterval(() => void prolongPause(db, id).catch(() => undefined), PAUSE_MS / 4).unref()
  return {
    async check() {
      if (await prolongPause(db, id)) return
      throw new BackupFailed('The database was away for so long that objects may be missing. Begin again.')
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      // It lapses by itself where the database is away.
      await endPause(db, id).catch(() => undefined)
    },
  }
}
