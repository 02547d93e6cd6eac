/** What is wrong with an image whose row promises its bytes: there are none, or they are others. */
export type Alarm = 'missing' | 'corrupt'

/** Counts what must never happen, since the process started: somebody ought to look. */
export class Alarms {
  readonly #counts: Record<Alarm, number> = { missing: 0, corrupt: 0 }

  raise(alarm: Alarm): void {
    this.#counts[alarm] += 1
  }

  counts(): Readonly<Record<Alarm, number>> {
    return { ...this.#counts }
  }
}
