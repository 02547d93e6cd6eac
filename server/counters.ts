/** What is counted for Prometheus: by the reason of a report, by the decision about one, by what became of a guest's upload. */
export type Counted = 'reports' | 'decidedReports' | 'guestUploads'

/** Counts of events in this process since its start, by kind and label. Labels are names in code, so that their number is bounded. */
export class Counters {
  readonly #counts = new Map<Counted, Map<string, number>>()

  add(kind: Counted, label: string): void {
    const counts = this.#counts.get(kind) ?? new Map<string, number>()
    this.#counts.set(kind, counts.set(label, (counts.get(label) ?? 0) + 1))
  }

  read(kind: Counted): ReadonlyMap<string, number> {
    return this.#counts.get(kind) ?? new Map()
  }
}
