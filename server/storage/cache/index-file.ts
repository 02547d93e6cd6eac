import { mkdirSync, readdirSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Increased whenever the tables below change. The cache of another version is discarded. */
const VERSION = 1

const NAME = 'index.sqlite'

/** Milliseconds a start waits for another process's write, which may be creating the tables. */
const START_BUSY_MS = 2_000
/** The same while running; shorter, because waiting blocks the whole process. */
const BUSY_MS = 100

/** 'total' has one row, which triggers keep exact whatever statement changes the other tables. */
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
-- A new index never reuses an old one's numbers: a process with the old one open would take new files for its own.
INSERT INTO sqlite_sequence (name, seq) VALUES ('object', abs(random() % 8000000000) * 1000000);
PRAGMA user_version = ${VERSION};
`

/** Opens the index of the cache in `folder`, which processes share. It is SQLite with a write-ahead log: kill -9 loses
 *  no write, a power failure at most the last ones. A damaged index, or one of another version, is discarded with
 *  everything cached and created again; a process that has the old one open finds its files gone and must open the new
 *  one. */
export function openIndexFile(folder: string): DatabaseSync {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, NAME)
  const before = indexInode(folder)
  try {
    return openTables(file)
  } catch (error) {
    if (!isUnusable(error)) throw error
    discardIndex(folder, before)
    return openTables(file)
  }
}

/** Discards the cache in `folder`, unless another process has already replaced the index with that inode. */
export function discardIndex(folder: string, inode: number | null): void {
  if (indexInode(folder) === inode) discard(folder)
}

/** Suffix of discarded files and folders. */
const DISCARDED = '.gone'

/** Discards the cache in `folder`. Instant whatever its size, because everything is only renamed. */
export function discard(folder: string): void {
  for (const name of [NAME, `${NAME}-wal`, `${NAME}-shm`, 'objects']) {
    const path = join(folder, name)
    try {
      renameSync(path, `${path}.${crypto.randomUUID()}${DISCARDED}`)
    } catch {
      // It does not exist.
    }
  }
}

/** Returns what was discarded but not yet deleted, including by a process that was killed before it could. */
export function discardedIn(folder: string): readonly string[] {
  const names = readdirSync(folder).filter((name) => name.endsWith(DISCARDED))
  return names.map((name) => join(folder, name))
}

class OtherVersion extends Error {}

/** Opens a database with the index's tables, created if missing. `:memory:` shares it with nobody. */
export function openTables(file: string): DatabaseSync {
  const db = new DatabaseSync(file, { timeout: START_BUSY_MS })
  try {
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -4000')
    db.exec('BEGIN IMMEDIATE')
    const version = db.prepare('PRAGMA user_version').get()?.user_version
    if (version === 0) db.exec(TABLES)
    else if (version !== VERSION) throw new OtherVersion(`cache index has version ${version}`)
    // Read here what is read first later: the file may be damaged beyond its version.
    db.exec('SELECT * FROM total; SELECT max(id) FROM removal')
    db.exec('COMMIT')
    // A full disk may leave the log no space to be moved later, unless the database file has its pages by then.
    if (version === 0) db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    db.exec(`PRAGMA busy_timeout = ${BUSY_MS}`)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** SQLITE_CORRUPT and SQLITE_NOTADB. Extended codes have more bits above the lowest byte. */
const DAMAGED = new Set([11, 26])

/** Whether the index must be discarded, as opposed to being unavailable for now. */
export function isUnusable(error: unknown): boolean {
  if (error instanceof OtherVersion) return true
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) : 0
  return DAMAGED.has(code & 0xff)
}

/** Returns the index's inode, or null when there is no index. The inode is not reused while the index is open. */
export function indexInode(folder: string): number | null {
  return statSync(join(folder, NAME), { throwIfNoEntry: false })?.ino ?? null
}
