import type { Demand } from './demand.ts'

/** A first-in, first-out queue between the parser that adds items and one reader. */
export class DemandQueue<Item> {
  readonly #demand: Demand
  readonly #items: Item[] = []
  #end: { readonly error: unknown } | null = null
  #wake = (): void => undefined

  constructor(demand: Demand) {
    this.#demand = demand
  }

  add(item: Item): void {
    this.#items.push(item)
    this.#wake()
  }

  /** Ends the queue, with an error or with null for success. Later calls change nothing. */
  end(error: unknown): void {
    this.#end ??= { error }
    this.#wake()
  }

  async *all(): AsyncGenerator<Item> {
    for (;;) {
      const item = this.#items.shift()
      if (item !== undefined) yield item
      else if (this.#end) {
        if (this.#end.error !== null) throw this.#end.error
        return
      } else {
        const { promise, resolve } = Promise.withResolvers<void>()
        this.#wake = resolve
        await this.#demand.while(promise)
      }
    }
  }
}
