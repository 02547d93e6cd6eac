/** A bounded cache of values that cost more to compute than to look up. Two generations: when the younger is full, the
 *  elder is dropped; a value that is found in the elder moves to the younger. */
export class Generations<Value> {
  readonly #most: number
  #young = new Map<string, Value>()
  #old = new Map<string, Value>()

  /** `most`: how many a generation holds. */
  constructor(most: number) {
    this.#most = most
  }

  get(name: string): Value | undefined {
    const known = this.#young.get(name)
    if (known !== undefined) return known
    const old = this.#old.get(name)
    return old === undefined ? undefined : this.add(name, old)
  }

  /** Answers the value. */
  add(name: string, value: Value): Value {
    if (this.#young.size >= this.#most) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(name, value)
    return value
  }
}
