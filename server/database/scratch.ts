import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { PrismaPGlite } from 'pglite-prisma-adapter'
import { PrismaClient } from '../../generated/prisma/client.ts'
import { migrate } from './migrate.ts'
import { openPglite } from './open-pglite.ts'

/** A temporary database for migrating an older version's rows to this one. */
export interface Scratch extends AsyncDisposable {
  readonly db: PrismaClient
  /** Migrates it from the version it was opened with to this one. */
  migrate(): Promise<void>
}

/** Creates an embedded database in a new folder, migrated up to `last`. */
export async function openScratch(folder: string, last: string): Promise<Scratch> {
  await using opened = new AsyncDisposableStack()
  await mkdir(folder, { mode: 0o700 })
  const pglite = await openPglite(join(folder, 'pgdata'))
  opened.defer(() => pglite.close())
  const adapter = new PrismaPGlite(pglite)
  await migrate(adapter, last)
  const db = new PrismaClient({ adapter })
  opened.defer(() => db.$disconnect())
  const toClose = opened.move()
  return {
    db,
    migrate: async () => void (await migrate(adapter)),
    [Symbol.asyncDispose]: () => toClose.disposeAsync(),
  }
}
