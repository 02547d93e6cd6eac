/** An object that a row references is missing from the store, or its bytes do not match its hash. */
export type ImageAlarm = 'missing' | 'corrupt'

/** Counts alarms since the process started, for /readyz. They should never happen and need an admin. */
export class Alarms {
  readonly #counts: Record<ImageAlarm, number> = { missing: 0, corrupt: 0 }

  raise(alarm: ImageAlarm): void {
    this.#counts[alarm] += 1
  }

  counts(): Readonly<Record<ImageAlarm, number>> {
    return { ...this.#counts }
  }
}
