/** Times at which something went on. */
export class Spans {
  readonly #spans: { until: number }[] = []

  async during<T>(work: () => Promise<T>): Promise<T> {
    const span = { until: Number.POSITIVE_INFINITY }
    this.#spans.push(span)
    try {
      return await work()
    } finally {
      span.until = performance.now()
    }
  }

  /** How many of them ended after this instant of `performance.now()`, or have not ended. */
  since(instant: number): number {
    return this.#spans.filter(({ until }) => until >= instant).length
  }
}
