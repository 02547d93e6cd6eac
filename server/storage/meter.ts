/** The classes by which providers bill requests: writes (and lists), reads (and HEADs), deletes. */
export type RequestClass = 'writes' | 'reads' | 'deletes'

/** Counts every request and byte that goes to or from the bucket, charged to the current payer (payer.ts), and rejects
 *  what the budgets cannot cover. Nothing reaches the bucket before it is counted, and deletes always pass. */
export interface Meter {
  /** Call before each HTTP attempt, retries included. The request is counted when the promise resolves. Rejects with
   *  BudgetSpent when a budget is used up; never rejects deletes. */
  request(kind: RequestClass): Promise<void>
  /** Call before bytes are transferred: `in` to the bucket or `out` of it. Rejects with BudgetSpent, but never for 0
   *  bytes. The payer at the time of the call pays for all bytes of the reservation, no matter who transfers them. */
  reserve(direction: 'in' | 'out', bytes: number): Promise<Reservation>
}

/** A reservation for bytes that are about to be transferred. */
export interface Reservation {
  /** Counts transferred bytes, including those beyond the reservation or after `end`. */
  moved(bytes: number): void
  /** Releases what was not transferred. Safe to call more than once. */
  end(): void
}

/** A budget of the site is used up. No billed request goes to the bucket until the budget's period ends. */
export class BudgetSpent extends Error {
  override name = 'BudgetSpent'
  /** When the period ends; null for a budget without a period, such as stored bytes. */
  readonly until: Date | null

  constructor(message: string, until: Date | null) {
    super(message)
    this.until = until
  }
}

/** A meter that counts nothing, for standalone programs and tests. */
export const unmetered: Meter = {
  request: async () => undefined,
  reserve: async () => ({ moved: () => undefined, end: () => undefined }),
}
