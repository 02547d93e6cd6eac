/** A bounded cache in two generations: when the young one is full, the old one is dropped; a value found in the old one moves
 *  to the young one. */
export class Generations<Value> {
  readonly #size: number
  #young = new Map<string, Value>()
  #old = new Map<string, Value>()

  /** `size`: the entries of a generation. */
  constructor(size: number) {
    this.#size = size
  }

  get(name: string): Value | undefined {
    const known = this.#young.get(name)
    if (known !== undefined) return known
    const old = this.#old.get(name)
    return old === undefined ? undefined : this.add(name, old)
  }

  /** Returns the value. */
  add(name: string, value: Value): Value {
    if (this.#young.size >= this.#size) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(name, value)
    return value
  }
}
