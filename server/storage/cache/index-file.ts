import { mkdirSync, readdirSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Changes with the tables below: what another version kept is thrown away. */
const VERSION = 1

const NAME = 'index.sqlite'

/** Milliseconds for which a start waits while another process writes, which may be making the tables. */
const START_BUSY_MS = 2_000
/** The same later on: nothing else happens in this process meanwhile. */
const BUSY_MS = 100

/** 'total' has one row, which triggers keep exact: no road to the other tables can forget it. */
const TABLES = `
CREATE TABLE object (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  key TEXT NOT NULL UNIQUE,
  size INTEGER NOT NULL DEFAULT 0,
  queue TEXT CHECK (queue IN ('small', 'main')),
  place INTEGER,
  frequency INTEGER NOT NULL DEFAULT 0,
  fetcher TEXT NOT NULL,
  beatAt INTEGER NOT NULL,
  wantedAt INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX object_queue ON object (queue, place) WHERE queue IS NOT NULL;
CREATE INDEX object_fetched ON object (beatAt) WHERE queue IS NULL;
CREATE TABLE ghost (print INTEGER PRIMARY KEY, size INTEGER NOT NULL, place INTEGER NOT NULL) STRICT;
CREATE INDEX ghost_place ON ghost (place);
CREATE TABLE removal (id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL, at INTEGER NOT NULL) STRICT;
CREATE TABLE total (
  bytes INTEGER NOT NULL, small INTEGER NOT NULL, main INTEGER NOT NULL, ghosts INTEGER NOT NULL,
  objects INTEGER NOT NULL, places INTEGER NOT NULL,
  hits INTEGER NOT NULL, misses INTEGER NOT NULL, bytesServed INTEGER NOT NULL
) STRICT;
INSERT INTO total VALUES (0, 0, 0, 0, 0, 0, 0, 0, 0);
CREATE TRIGGER object_in AFTER INSERT ON object BEGIN UPDATE total SET
  bytes = bytes + NEW.size, small = small + NEW.size * (NEW.queue IS 'small'),
  main = main + NEW.size * (NEW.queue IS 'main'), objects = objects + (NEW.queue IS NOT NULL); END;
CREATE TRIGGER object_out AFTER DELETE ON object BEGIN UPDATE total SET
  bytes = bytes - OLD.size, small = small - OLD.size * (OLD.queue IS 'small'),
  main = main - OLD.size * (OLD.queue IS 'main'), objects = objects - (OLD.queue IS NOT NULL); END;
CREATE TRIGGER object_moved AFTER UPDATE OF size, queue ON object BEGIN UPDATE total SET
  bytes = bytes + NEW.size - OLD.size,
  small = small + NEW.size * (NEW.queue IS 'small') - OLD.size * (OLD.queue IS 'small'),
  main = main + NEW.size * (NEW.queue IS 'main') - OLD.size * (OLD.queue IS 'main'),
  objects = objects + (NEW.queue IS NOT NULL) - (OLD.queue IS NOT NULL); END;
CREATE TRIGGER ghost_in AFTER INSERT ON ghost BEGIN UPDATE total SET ghosts = ghosts + NEW.size; END;
CREATE TRIGGER ghost_out AFTER DELETE ON ghost BEGIN UPDATE total SET ghosts = ghosts - OLD.size; END;
-- No copy has a number of an index before: a process that has that one open yet would take its file for another's.
INSERT INTO sqlite_sequence (name, seq) VALUES ('object', abs(random() % 8000000000) * 1000000);
PRAGMA user_version = ${VERSION};
`

/**
 * The index of a cache in `folder`, which processes share: SQLite with a write-ahead log, so that a kill -9 loses no write
 * and a power cut at most the last ones. One that is damaged, or of another version, is begun anew, and what was cached with
 * it. A process that has the old one open finds none of its files any more, and must open the new one.
 */
export function openIndexFile(folder: string): DatabaseSync {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, NAME)
  const before = inodeOfIndex(folder)
  try {
    return openTables(file)
  } catch (error) {
    if (!isUseless(error)) throw error
    discardIndex(folder, before)
    return openTables(file)
  }
}

/** Takes away what a cache has kept in `folder`, unless another process has begun the index of that inode anew by now. */
export function discardIndex(folder: string, inode: number | null): void {
  if (inodeOfIndex(folder) === inode) discard(folder)
}

/** Behind the names of what is taken away. */
const GONE = '.gone'

/** Takes away all that a cache has kept in `folder`: at once, however much it is, for it is but renamed. */
export function discard(folder: string): void {
  for (const name of [NAME, `${NAME}-wal`, `${NAME}-shm`, 'objects']) {
    const path = join(folder, name)
    try {
      renameSync(path, `${path}.${crypto.randomUUID()}${GONE}`)
    } catch {
      // There is none.
    }
  }
}

/** What was taken away and lies there yet, also of a process that was killed before it had removed it. */
export function discardedIn(folder: string): readonly string[] {
  const names = readdirSync(folder).filter((name) => name.endsWith(GONE))
  return names.map((name) => join(folder, name))
}

class OtherVersion extends Error {}

/** A database with the tables of an index; `:memory:` has none to share it with. */
export function openTables(file: string): DatabaseSync {
  const db = new DatabaseSync(file, { timeout: START_BUSY_MS })
  try {
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -4000')
    db.exec('BEGIN IMMEDIATE')
    const version = db.prepare('PRAGMA user_version').get()?.user_version
    if (version === 0) db.exec(TABLES)
    else if (version !== VERSION) throw new OtherVersion(`Version ${version}`)
    // What is read of it first: it may be damaged behind its version.
    db.exec('SELECT * FROM total; SELECT max(id) FROM removal')
    db.exec(`COMMIT; PRAGMA busy_timeout = ${BUSY_MS}`)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** SQLITE_CORRUPT and SQLITE_NOTADB, with what may be above their lowest byte. */
const DAMAGED = new Set([11, 26])

/** An index of which nothing can be made, in contrast to one that cannot be reached now. */
export function isUseless(error: unknown): boolean {
  if (error instanceof OtherVersion) return true
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) : 0
  return DAMAGED.has(code & 0xff)
}

/** Null when there is no index; the number is no other file's while the index is open. */
export function inodeOfIndex(folder: string): number | null {
  return statSync(join(folder, NAME), { throwIfNoEntry: false })?.ino ?? null
}
