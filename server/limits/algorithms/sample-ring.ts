import type { SampledWindow } from '../rules/compiled.ts'

/** How a rule is divided into sub-windows and weighted. Unlike the limit and `isWhole`, the division of a key never
 *  changes. */
type Samples = Pick<SampledWindow, 'windowMs' | 'samples' | 'isWhole'>

/** The counts of one rule by sub-window, in a ring of `samples + 1` slots. A slot keeps its sub-window until a later
 *  one needs it, so nothing grows and no timer runs. Sub-windows are numbered from the instant 0. */
export class SampleRing {
  readonly #windowMs: number
  readonly #samples: number
  readonly #sampleMs: number
  /** The sub-window that each slot counts, and its permits. */
  readonly #indexes: number[]
  readonly #counts: number[]
  /** The newest sub-window that has permits; -1 for none. */
  #newest = -1
  /** The sub-window that was last asked about, and the sum of all in its window except the oldest. */
  #current = 0
  #inside = 0
  /** The first sub-window with permits in that sum, where it has any. */
  #oldest = 0

  constructor({ windowMs, samples }: Samples) {
    this.#windowMs = windowMs
    this.#samples = samples
    this.#sampleMs = windowMs / samples
    this.#indexes = new Array(samples + 1).fill(0)
    this.#counts = new Array(samples + 1).fill(0)
  }

  /** The instant from which on no permit counts. */
  get emptyAt(): number {
    return this.#newest < 0 ? 0 : (this.#newest + 1) * this.#sampleMs + this.#windowMs
  }

  usedAt(now: number, { isWhole }: Samples): number {
    const into = this.#turnTo(now)
    const oldest = this.#count(this.#current - this.#samples)
    return this.#inside + weigh(oldest, this.#sampleMs - into, this.#sampleMs, isWhole)
  }

  /** The first instant at which no more than `target` permits are used, if none are taken until then. */
  firstInstant(now: number, target: number, { isWhole }: Samples): number {
    let into = this.#turnTo(now)
    let index = this.#current
    let inside = this.#inside
    const last = index + this.#samples
    // None of them decays before the first of them has become the oldest.
    if (inside > target && this.#oldest > index + 1 - this.#samples) {
      index = this.#oldest - 1 + this.#samples
      into = 0
    }
    while (inside > target && index < last) {
      index += 1
      into = 0
      inside -= this.#count(index - this.#samples)
    }
    const oldest = this.#count(index - this.#samples)
    const part = longestPart(oldest, target - inside, this.#sampleMs - into, this.#sampleMs, isWhole)
    return (index + 1) * this.#sampleMs - part
  }

  /** Counts into the current sub-window. Its first permits empty the buckets of stale ones, also those that it does not
   *  need. */
  add(now: number, cost: number): void {
    this.#turnTo(now)
    const slot = this.#current % this.#counts.length
    if (this.#indexes[slot] !== this.#current) this.#emptyStale()
    this.#indexes[slot] = this.#current
    this.#counts[slot] = (this.#counts[slot] ?? 0) + cost
    if (this.#inside === 0) this.#oldest = this.#current
    this.#inside += cost
    this.#newest = this.#current
  }

  /** Refunds what was charged at that instant: its sub-window is never later than the one it was counted in. */
  takeOff(at: number, cost: number): void {
    const index = Math.floor(at / this.#sampleMs)
    const count = this.#count(index)
    if (count === 0) return
    this.#counts[index % this.#counts.length] = Math.max(0, count - cost)
    this.#newest = this.#findNewest()
    this.#lookInside()
  }

  /** Time is never before the start of the newest sub-window that has permits. Gives how far the current one has run. */
  #turnTo(now: number): number {
    const time = Math.max(now, this.#newest * this.#sampleMs)
    const current = Math.floor(time / this.#sampleMs)
    if (current !== this.#current) {
      this.#current = current
      this.#lookInside()
    }
    return time % this.#sampleMs
  }

  #lookInside(): void {
    this.#inside = 0
    this.#oldest = this.#current
    for (let slot = 0; slot <= this.#samples; slot += 1) {
      const index = this.#indexes[slot] ?? 0
      const count = this.#counts[slot] ?? 0
      if (count === 0 || index <= this.#current - this.#samples) continue
      this.#inside += count
      if (index < this.#oldest) this.#oldest = index
    }
  }

  #emptyStale(): void {
    for (let slot = 0; slot <= this.#samples; slot += 1) {
      if ((this.#indexes[slot] ?? 0) < this.#current - this.#samples) this.#counts[slot] = 0
    }
  }

  #findNewest(): number {
    let newest = -1
    for (let slot = 0; slot <= this.#samples; slot += 1) {
      if ((this.#counts[slot] ?? 0) > 0) newest = Math.max(newest, this.#indexes[slot] ?? 0)
    }
    return newest
  }

  #count(index: number): number {
    const slot = index % this.#counts.length
    return this.#indexes[slot] === index ? (this.#counts[slot] ?? 0) : 0
  }
}

const SPLIT = 2 ** 17

/** The weight of `count` permits when `part` milliseconds of their sub-window lie in the window, rounded up. The product is
 *  divided in two steps, so that no number comes near 2^53 while a sub-window has fewer than 2^34 milliseconds. */
export function weigh(count: number, part: number, sampleMs: number, isWhole: boolean): number {
  if (isWhole) return part > 0 ? count : 0
  const rest = count % sampleMs
  const low = part % SPLIT
  const first = rest * ((part - low) / SPLIT)
  const over = first % sampleMs
  const wholes = ((count - rest) / sampleMs) * part + ((first - over) / sampleMs) * SPLIT
  return wholes + Math.ceil((over * SPLIT + rest * low) / sampleMs)
}

/** The longest part, up to `most`, that weighs no more than `room`: by a division that is off by one at most. */
export function longestPart(count: number, room: number, most: number, sampleMs: number, isWhole: boolean): number {
  if (weigh(count, most, sampleMs, isWhole) <= room) return most
  if (isWhole) return 0
  const part = Math.floor((room * sampleMs) / count)
  if (weigh(count, part, sampleMs, isWhole) > room) return part - 1
  if (weigh(count, part + 1, sampleMs, isWhole) <= room) return part + 1
  return part
}
