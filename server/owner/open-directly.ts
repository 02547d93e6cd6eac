import { pricesFor } from '#server/budgets/bill/prices.ts'
import { openBudgets } from '#server/budgets/budgets.ts'
import type { ConfigWithoutSecret } from '#server/config.ts'
import { type Database, openDatabase } from '#server/database/database.ts'
import type { SchemaWanted } from '#server/database/schema-wanted.ts'
import type { ObjectStore } from '#server/storage/object-store.ts'
import { openObjectStore } from '#server/storage/open-store.ts'
import { openTempFolder, type TempFolder } from '#server/storage/temp-folder.ts'
import { backupFolder } from './backup/backup-folder.ts'

/** What a command uses directly when no server runs. */
export interface Opened extends AsyncDisposable {
  readonly db: Database['db']
  readonly store: ObjectStore
  readonly temp: TempFolder
  /** Records the usage of the store; call after the last request to it. */
  settle(): Promise<void>
}

/** Opens the database and the object store. Throws CannotStart with a message for the owner. */
export async function openDirectly(
  config: ConfigWithoutSecret,
  wanted: SchemaWanted,
  say: (line: string) => void,
): Promise<Opened> {
  await using opened = new AsyncDisposableStack()
  const { db, close } = await openDatabase(config, wanted)
  opened.defer(close)
  const storage = opened.use(await openStorage(db, config, say))
  const toClose = opened.move()
  return { ...storage, db, [Symbol.asyncDispose]: () => toClose.disposeAsync() }
}

/** Opens the object store for an open database, creating its folders if needed. */
export async function openStorage(
  db: Database['db'],
  config: ConfigWithoutSecret,
  say: (line: string) => void,
): Promise<Omit<Opened, 'db'>> {
  await using opened = new AsyncDisposableStack()
  const log = (_details: object, message: string) => say(message)
  const budgets = openBudgets({
    db,
    prices: pricesFor(config),
    log: { warn: log, error: log },
    cacheFigures: () => null,
  })
  opened.defer(() => budgets.close())
  const store = await openObjectStore(config, budgets.meter)
  opened.defer(() => store.close())
  const temp = await openTempFolder(backupFolder(config))
  const toClose = opened.move()
  return { store, temp, settle: () => budgets.close(), [Symbol.asyncDispose]: () => toClose.disposeAsync() }
}
