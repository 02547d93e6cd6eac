import type { CompiledRuleSet } from './rules/compiled.ts'

/** Of each generation. */
const MOST = 32_768

/** A key, with what was found by it before: whoever is given it need not look for that again. What it is, and whether it
 *  is still kept, its finder knows: there may be several of a kind. */
export class KnownKey {
  readonly key: string
  /** In process: stores/memory-store.ts. */
  counted: object | null = null
  /** deciders/refusal-memory.ts. */
  refusal: object | null = null
  /** stats/first-events.ts. */
  told: object | null = null
  /** stats/most-refused.ts. */
  refusals: object | null = null
  /** stats/nearest-to-limit.ts. */
  standing: object | null = null

  constructor(key: string) {
    this.key = key
  }
}

/** By set and subject. */
type Generation = Map<CompiledRuleSet, Map<string, KnownKey>>

/** Keys of whoever has called lately, by set and subject. To find one costs less than to spell it, and as much as to find
 *  anything else by it; each object that lies on the way to it is one that no cache of the processor has. Bounded: of two
 *  generations the older goes when the younger is full, and what was found in it is young again. */
export class KnownKeys {
  #young: Generation = new Map()
  #old: Generation = new Map()
  #size = 0

  /** The key of a set for a subject, spelled by `spell` where it is not known. */
  get(set: CompiledRuleSet, subject: string, spell: (set: CompiledRuleSet, subject: string) => string): KnownKey {
    const known = this.#young.get(set)?.get(subject)
    if (known) return known
    const key = this.#old.get(set)?.get(subject) ?? new KnownKey(spell(set, subject))
    if (this.#size >= MOST) {
      this.#old = this.#young
      this.#young = new Map()
      this.#size = 0
    }
    this.#size += 1
    const ofSet = this.#young.get(set)
    if (ofSet) ofSet.set(subject, key)
    else this.#young.set(set, new Map([[subject, key]]))
    return key
  }
}
