/** The classes by which providers bill requests: writes (and lists), reads (and HEADs), deletes. */
export type RequestClass = 'writes' | 'reads' | 'deletes'

/** Counts everything that is asked of the bucket, on the account of the current payer (payer.ts), and refuses what the
 *  budgets have no room for. */
export interface Meter {
  /** To be awaited before each HTTP attempt, retries included: it is counted once this resolves. Rejects with
   *  BudgetSpent when a budget has no room for it; deletes are never rejected. */
  request(kind: RequestClass): Promise<void>
  /** To be awaited before bytes are transferred, `in` to the bucket or `out` of it. Rejects with BudgetSpent, but never
   *  for 0 bytes. The current payer pays for everything that moves in the reservation, whoever moves it. */
  reserve(direction: 'in' | 'out', bytes: number): Promise<Reservation>
}

/** A reservation for bytes that are about to be transferred. */
export interface Reservation {
  /** Counts bytes that were transferred. Bytes beyond the reservation, or after its end, are counted too. */
  moved(bytes: number): void
  /** Gives back what was not transferred. May be called more than once. */
  end(): void
}

/** A budget of the site is used up: no request that costs is sent to the bucket until its period ends. */
export class BudgetSpent extends Error {
  override name = 'BudgetSpent'
  /** When the period ends; null for a budget that does not end by itself, such as that of stored bytes. */
  readonly until: Date | null

  constructor(message: string, until: Date | null) {
    super(message)
    this.until = until
  }
}

/** A meter that counts nothing, for programs beside the server and for tests. */
export const unmetered: Meter = {
  request: async () => undefined,
  reserve: async () => ({ moved: () => undefined, end: () => undefined }),
}
