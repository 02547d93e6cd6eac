import type { CompiledRuleSet } from './rules/compiled.ts'

/** Of each generation. */
const MOST = 32_768

type KeysOfSet = Map<string, KnownKey>
type Keys = Map<CompiledRuleSet, KeysOfSet>

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

/** Keys of whoever has called lately, by set and subject. To find one costs less than to spell it, and as much as to find
 *  anything else by it. Bounded: of two generations the older goes when the younger is full, and what was found in it is
 *  young again. */
export class KnownKeys {
  #young: Keys = new Map()
  #old: Keys = new Map()
  #size = 0
  /** The set that was last asked for, with its young keys: most calls have the same as the one before. */
  #lastSet: CompiledRuleSet | null = null
  #lastKeys: KeysOfSet = new Map()

  /** The key of a set for a subject, spelled by `spell` where it is not known. */
  get(set: CompiledRuleSet, subject: string, spell: (set: CompiledRuleSet, subject: string) => string): KnownKey {
    if (set !== this.#lastSet) this.#turnTo(set)
    const known = this.#lastKeys.get(subject)
    if (known !== undefined) return known
    const key = this.#old.get(set)?.get(subject) ?? new KnownKey(spell(set, subject))
    this.#add(set, subject, key)
    return key
  }

  #add(set: CompiledRuleSet, subject: string, key: KnownKey): void {
    if (this.#size >= MOST) {
      this.#old = this.#young
      this.#young = new Map()
      this.#size = 0
      this.#turnTo(set)
    }
    this.#lastKeys.set(subject, key)
    this.#size += 1
  }

  #turnTo(set: CompiledRuleSet): void {
    const keys = this.#young.get(set) ?? new Map<string, KnownKey>()
    this.#young.set(set, keys)
    this.#lastSet = set
    this.#lastKeys = keys
  }
}
