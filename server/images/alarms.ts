/** An object that a row references is missing from the store, or its bytes do not match its hash. */
export type Alarm = 'missing' | 'corrupt'

/** Counts alarms since the process started, for /readyz. They should never happen and need an admin. */
export class Alarms {
  readonly #counts: Record<Alarm, number> = { missing: 0, corrupt: 0 }

  raise(alarm: Alarm): void {
    this.#counts[alarm] += 1
  }

  counts(): Readonly<Record<Alarm, number>> {
    return { ...this.#counts }
  }
}
