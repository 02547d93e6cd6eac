import type { CompiledRuleSet } from './rules/compiled.ts'

/** Keys of each generation, at most. */
const MOST = 32_768

/** A key, with what was found by it before, so that nobody has to look that up again. Each field is written by the file
 *  that it names, which also checks that what it reads there is its own and still kept: several stores or lists may
 *  write one. */
export class KnownKey {
  readonly key: string
  /** In process: stores/memory-store.ts. */
  counted: object | null = null
  /** deciders/refusal-cache.ts. */
  refusal: object | null = null
  /** stats/first-events.ts. */
  reported: object | null = null
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

/** Keys of whoever has called lately, by set and subject: to find one costs less than to spell it. Two maps deep and no
 *  deeper, for each object on the way is likely to be in no cache of the processor. Bounded: when the younger of two
 *  generations is full the older is dropped; a key that is found in the older one moves to the younger. */
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
