import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { CannotStart } from '#server/cannot-start.ts'

/** Another process has the folder open. */
export class FolderInUse extends CannotStart {
  override name = 'FolderInUse'
}

/** Locks `folder` for this process until disposed of. It is SQLite's lock on a file of its own, so the kernel holds it:
 *  it ends with the process, however that ends, and works between containers that share the folder. Throws
 *  FolderInUse. */
export function lockFolder(folder: string): Disposable {
  const lock = new DatabaseSync(join(folder, 'lock'))
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    if (error instanceof Error && /database is locked/.test(error.message)) throw new FolderInUse(folder)
    throw error
  }
  return { [Symbol.dispose]: () => lock.close() }
}
