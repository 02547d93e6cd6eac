/** The whole seconds that a ring remembers; the current one is not among them. */
export const SECONDS = 60
const SLOTS = SECONDS + 1

/** Counters by second, in a ring. Its slots are cleared when they are reused, without a timer. Seconds are those of
 *  one SecondHand, so they never step back. */
export class RingWindow {
  readonly #width: number
  /** The counters of each second, side by side. */
  readonly #slots: Float64Array
  /** The second that each slot holds. */
  readonly #secondOf = new Float64Array(SLOTS).fill(Number.NEGATIVE_INFINITY)
  /** The counts from before the seconds in the slots. */
  readonly #past: Float64Array
  #second = Number.NEGATIVE_INFINITY
  /** The index at which the slot of that second begins. */
  #start = 0

  constructor(counters: number) {
    this.#width = counters
    this.#slots = new Float64Array(SLOTS * counters)
    this.#past = new Float64Array(counters)
  }

  add(second: number, counter: number, amount = 1): void {
    if (second !== this.#second) this.#turnTo(second)
    const index = this.#start + counter
    this.#slots[index] = (this.#slots[index] ?? 0) + amount
  }

  /** Removes the most recent count of a counter; does nothing when no remembered second has any. */
  takeBack(counter: number): void {
    for (let second = this.#second; second > this.#second - SLOTS; second -= 1) {
      const index = slotOf(second) * this.#width + counter
      const amount = this.#slots[index] ?? 0
      if (this.#secondOf[slotOf(second)] !== second || amount === 0) continue
      this.#slots[index] = amount - 1
      return
    }
  }

  /** The all-time total of each counter. */
  total(): number[] {
    return this.#sums(Array.from(this.#past), Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)
  }

  /** The sum of each counter over the last whole seconds. */
  minute(second: number): number[] {
    return this.#sums(Array<number>(this.#width).fill(0), second - SECONDS, second)
  }

  /** One counter in each of the last whole seconds, the oldest first. */
  seconds(second: number, counter: number): number[] {
    return Array.from({ length: SECONDS }, (_, index) => {
      const slot = slotOf(second - SECONDS + index)
      return this.#secondOf[slot] === second - SECONDS + index ? (this.#slots[slot * this.#width + counter] ?? 0) : 0
    })
  }

  #turnTo(second: number): void {
    const slot = slotOf(second)
    this.#second = second
    this.#start = slot * this.#width
    if (this.#secondOf[slot] === second) return
    this.#secondOf[slot] = second
    for (let counter = 0; counter < this.#width; counter += 1) {
      this.#past[counter] = (this.#past[counter] ?? 0) + (this.#slots[this.#start + counter] ?? 0)
      this.#slots[this.#start + counter] = 0
    }
  }

  /** Adds the seconds from `from` until before `to`. */
  #sums(sums: number[], from: number, to: number): number[] {
    for (let slot = 0; slot < SLOTS; slot += 1) {
      const second = this.#secondOf[slot] ?? 0
      if (second < from || second >= to) continue
      for (let counter = 0; counter < this.#width; counter += 1) {
        sums[counter] = (sums[counter] ?? 0) + (this.#slots[slot * this.#width + counter] ?? 0)
      }
    }
    return sums
  }
}

function slotOf(second: number): number {
  return ((second % SLOTS) + SLOTS) % SLOTS
}
