import type { SampledWindow } from '../rules/compiled.ts'

/** What of a rule says how it is cut and weighed; unlike its limit and `isWhole`, the cut of a key never changes. */
type Samples = Pick<SampledWindow, 'windowMs' | 'samples' | 'isWhole'>

/** The counts of one rule by sub-windows: as many buckets as a window touches, each for a sub-window until a later one
 *  needs it, so that nothing grows and no timer runs. Sub-windows are numbered from the instant 0. */
export class SampleRing {
  readonly #windowMs: number
  readonly #samples: number
  readonly #sampleMs: number
  /** Which sub-window each bucket counts, and its permits. */
  readonly #indexes: number[]
  readonly #counts: number[]

  constructor({ windowMs, samples }: Samples) {
    this.#windowMs = windowMs
    this.#samples = samples
    this.#sampleMs = windowMs / samples
    this.#indexes = new Array(samples + 1).fill(0)
    this.#counts = new Array(samples + 1).fill(0)
  }

  /** From this instant on no permit counts. */
  get emptyAt(): number {
    const newest = this.#newest()
    return newest < 0 ? 0 : (newest + 1) * this.#sampleMs + this.#windowMs
  }

  usedAt(now: number, { isWhole }: Samples): number {
    const { current, into, inside } = this.#stateAt(now)
    return inside + weigh(this.#count(current - this.#samples), this.#sampleMs - into, this.#sampleMs, isWhole)
  }

  /** The first instant at which no more than `target` are used, with nobody else taking. */
  firstInstant(now: number, target: number, { isWhole }: Samples): number {
    let { current: index, into, inside } = this.#stateAt(now)
    const last = index + this.#samples
    while (inside > target && index < last) {
      index += 1
      into = 0
      inside -= this.#count(index - this.#samples)
    }
    const oldest = this.#count(index - this.#samples)
    const part = longestPart(oldest, target - inside, this.#sampleMs - into, this.#sampleMs, isWhole)
    return (index + 1) * this.#sampleMs - part
  }

  /** Counts into the current sub-window. Buckets of stale ones are emptied, also those that this one does not need. */
  add(now: number, cost: number): void {
    const { current } = this.#stateAt(now)
    for (let slot = 0; slot <= this.#samples; slot += 1) {
      if ((this.#indexes[slot] ?? 0) < current - this.#samples) this.#counts[slot] = 0
    }
    const slot = current % this.#counts.length
    this.#indexes[slot] = current
    this.#counts[slot] = (this.#counts[slot] ?? 0) + cost
  }

  /** Takes off what was charged at that instant: its sub-window is never a later one than it was counted in. */
  takeOff(at: number, cost: number): void {
    const index = Math.floor(at / this.#sampleMs)
    const count = this.#count(index)
    if (count > 0) this.#counts[index % this.#counts.length] = Math.max(0, count - cost)
  }

  /** The current sub-window, how far it has run, and the sum of all in the window but the oldest. Time is never before the
   *  start of the newest sub-window that has permits. */
  #stateAt(now: number) {
    const time = Math.max(now, this.#newest() * this.#sampleMs)
    const current = Math.floor(time / this.#sampleMs)
    let inside = 0
    for (let slot = 0; slot <= this.#samples; slot += 1) {
      if ((this.#indexes[slot] ?? 0) > current - this.#samples) inside += this.#counts[slot] ?? 0
    }
    return { current, into: time % this.#sampleMs, inside }
  }

  /** The newest sub-window that has permits; -1 for none. */
  #newest(): number {
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

/** What `count` permits weigh when `part` milliseconds of their sub-window lie in the window, rounded up. The product is
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
