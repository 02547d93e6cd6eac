import type { Demand } from './demand.ts'

/** What is added here is taken there, in order. */
export class Queue<Item> {
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

  /** The first end holds; null is a good one. */
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
