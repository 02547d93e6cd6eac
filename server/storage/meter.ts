/** What providers charge for by the request: writes and lists, reads (HEAD too), deletes. */
export type RequestClass = 'writes' | 'reads' | 'deletes'

/** Counts all that is asked of the bucket, at the expense of who pays now (payer.ts), and says when no more may be. */
export interface Meter {
  /**
   * Before each HTTP attempt, a retry included: it counts once this resolves. Rejects with BudgetSpent where a budget has no
   * room for it; never for deletes.
   */
  request(kind: RequestClass): Promise<void>
  /**
   * Before bytes move, `in` to the bucket or `out` of it. Rejects with BudgetSpent, but never for no bytes. Who pays now pays
   * for all that moves in the room, whoever moves it.
   */
  reserve(direction: 'in' | 'out', bytes: number): Promise<Reservation>
}

/** Room for bytes that are about to move. */
export interface Reservation {
  /** So many have moved. What exceeds the room, or comes after its end, counts too: it has happened. */
  moved(bytes: number): void
  /** Gives back the room of what has not moved. May be called again. */
  end(): void
}

/** A budget of the site is used up: nothing is asked of the bucket that costs, until its period ends. */
export class BudgetSpent extends Error {
  override name = 'BudgetSpent'
  /** When the period ends; null for one that does not end by itself, as that of stored bytes. */
  readonly until: Date | null

  constructor(message: string, until: Date | null) {
    super(message)
    this.until = until
  }
}

/** For whoever has no budgets: a program beside the server, a test of something else. */
export const unmetered: Meter = {
  request: async () => undefined,
  reserve: async () => ({ moved: () => undefined, end: () => undefined }),
}
