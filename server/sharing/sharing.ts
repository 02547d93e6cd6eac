import type { Config } from '#server/config.ts'
import type { PrismaClient } from '#server/database/database.ts'
import { createShareKeys, type ShareKeys } from './share-keys.ts'
import { createShareLinks, type ShareLinks } from './share-links.ts'
import { UseBook } from './use/use-book.ts'
import { type Announce, writeUse } from './use/write-use.ts'
import { createVisits, type Visits } from './visits.ts'

/** How often the use of shares is written. */
const FLUSH_MS = 5_000

/** What procedures, routes and pages of shares use. It keeps nothing of any share but the use of the last seconds. */
export interface Sharing {
  readonly links: ShareLinks
  readonly keys: ShareKeys
  readonly visits: Visits
  readonly use: UseBook
  /** Writes what is not written yet. */
  close(): Promise<void>
}

interface Parts {
  readonly config: Pick<Config, 'origin' | 'secret'>
  readonly db: PrismaClient
  readonly announce: Announce
  readonly log: { error(details: object, message: string): void }
}

export function openSharing({ config, db, announce, log }: Parts): Sharing {
  const { secret } = config
  const use = new UseBook({ secret, log, write: (rows) => writeUse({ db, announce }, rows) })
  const flushing = setInterval(() => void use.flush(), FLUSH_MS).unref()
  return {
    links: createShareLinks(config),
    keys: createShareKeys(secret),
    visits: createVisits(secret),
    use,
    close: async () => {
      clearInterval(flushing)
      await use.flush()
    },
  }
}
