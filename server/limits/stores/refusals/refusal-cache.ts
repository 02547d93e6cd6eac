import type { Charge, Receipt } from '../../store.ts'
import { holdsFor, isRememberable, Refusal, receiptFrom } from './refusal.ts'

const MAX_KEYS = 50_000
/** How many returned keys are recorded. An answer is not remembered if more keys than these returned while it was on its
 *  way. */
const NOTED_RETURNS = 4_096

/** Refusals by key, each until its charge would pass. Bounded in two generations of half the keys each: when the
 *  younger is full, the elder is dropped whole, because finding the oldest entry of one large Map is slow. */
export class RefusalCache {
  readonly #generationSize: number
  #younger = new Map<string, Refusal>()
  #elder = new Map<string, Refusal>()
  /** A ring of the last keys with returned permits: the nth return is at n modulo NOTED_RETURNS. */
  readonly #returned: string[] = []
  /** How many returns there were in all. */
  #returns = 0
  /** The value of `#returns` when everything was last forgotten: answers asked for before that are not remembered. */
  #clearedAt = 0

  constructor(maxKeys = MAX_KEYS) {
    this.#generationSize = Math.max(1, Math.floor(maxKeys / 2))
  }

  get size(): number {
    return this.#younger.size + this.#elder.size
  }

  /** A counter of returned keys. Read it before the store is asked and pass it to `remember` with the answer, so that
   *  an answer which a return has overtaken is not remembered. */
  get returns(): number {
    return this.#returns
  }

  /** Returns the longest-lasting remembered refusal that holds for these charges, with its times reduced by its age;
   *  null when none holds. */
  recall(charges: readonly Charge[], now: number): Receipt | null {
    let found: Refusal | null = null
    let refused: Charge | null = null
    for (const charge of charges) {
      const refusal = this.#find(charge)
      if (!refusal) continue
      if (refusal.until <= now) {
        this.#delete(charge.key)
      } else if (holdsFor(refusal, charge) && (!found || refusal.until > found.until)) {
        found = refusal
        refused = charge
      }
    }
    return found && refused && receiptFrom(found, refused, charges, now)
  }

  /** Remembers the charges that refused the call, except keys to which permits were returned since `returns` was read. */
  remember({ lines }: Receipt, returns: number, now: number): void {
    if (returns < this.#clearedAt) return
    for (const { charge, answers } of lines) {
      const waitMs = Math.max(0, ...answers.map((answer) => answer.waitMs))
      if (waitMs === 0 || !isRememberable(charge) || this.#hasReturned(charge.key, returns)) continue
      if (this.#younger.size >= this.#generationSize) {
        this.#elder.clear()
        this.#elder = this.#younger
        this.#younger = new Map()
      }
      this.#delete(charge.key)
      this.#younger.set(charge.key, new Refusal(this.#younger, charge, answers, now, waitMs))
    }
  }

  /** Forgets the refusals of keys to which permits were returned. */
  forget(keys: Iterable<string>): void {
    for (const key of keys) {
      this.#delete(key)
      this.#returned[this.#returns % NOTED_RETURNS] = key
      this.#returns += 1
    }
  }

  /** Forgets every refusal, and ignores every answer that is still on its way. */
  clear(): void {
    this.#younger.clear()
    this.#elder.clear()
    this.#younger = new Map()
    this.#elder = new Map()
    this.#returns += 1
    this.#clearedAt = this.#returns
  }

  #hasReturned(key: string, since: number): boolean {
    if (this.#returns - since > NOTED_RETURNS) return true
    for (let nth = since; nth < this.#returns; nth += 1) if (this.#returned[nth % NOTED_RETURNS] === key) return true
    return false
  }

  /** Uses no look-up where the last one has found it. */
  #find({ key, known }: Charge): Refusal | undefined {
    const last = known?.refusal
    if (last instanceof Refusal && (last.home === this.#younger || last.home === this.#elder)) return last
    const refusal = this.#look(key)
    if (known && refusal) known.refusal = refusal
    return refusal
  }

  #look(key: string): Refusal | undefined {
    return this.#younger.get(key) ?? this.#elder.get(key)
  }

  #delete(key: string): void {
    const refusal = this.#look(key)
    if (refusal) refusal.home = null
    this.#younger.delete(key)
    this.#elder.delete(key)
  }
}
