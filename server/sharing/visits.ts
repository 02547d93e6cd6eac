import { createSealer } from '#server/sealed.ts'

/** How long a visit lasts. */
export const VISIT_MS = 30 * 60 * 1000

/** What a visit is good for. */
interface Visited {
  readonly id: string
  readonly passwordHash: string | null
}

/** Seals and opens visits: what a view of a share opens, in a cookie or the header x-share-visit. */
export interface Visits {
  seal(share: Visited): { readonly visit: string; readonly until: Date }
  /** Returns whether a text is a visit to the share that has not ended. A changed password ends all visits. */
  isOpen(share: Visited, visit: string): boolean
}

export function createVisits(secret: string, now: () => number = Date.now): Visits {
  const sealer = createSealer(secret, 'sluice visits to shares')
  const about = ({ id, passwordHash }: Visited) => `${id}\n${passwordHash ?? ''}`
  return {
    seal(share) {
      const until = new Date(now() + VISIT_MS)
      return { visit: sealer.seal(until.getTime().toString(36), about(share)), until }
    },
    isOpen(share, visit) {
      const until = sealer.open(visit, about(share))
      return until !== null && Number.parseInt(until, 36) > now()
    },
  }
}
