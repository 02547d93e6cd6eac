import type { CompiledRuleSet } from './rules/compiled.ts'

/** The most keys of one generation. */
const MOST = 32_768

/** A key with caches of what was last found by it, which save look-ups. Each field is written only by the file named
 *  above it; that file also checks that an object it reads is its own and still valid, because several stores or lists may
 *  share a key. */
export class KnownKey {
  readonly key: string
  /** stats/key-rate.ts: the calls from the second `since` on, and in the period before it. */
  since = -1_000
  calls = 0
  callsBefore = 0
  /** The value of the argument that it counts; null for none, and for one that is too long to keep. keys.ts. */
  argument: string | null
  /** Whether the next call finds it again. */
  readonly isKept: boolean
  /** stores/memory/entries.ts. */
  counted: object | null = null
  /** stores/refusals/refusal-cache.ts. */
  refusal: object | null = null
  /** stats/first-events.ts. */
  reported: object | null = null
  /** stats/most-refused.ts. */
  refusals: object | null = null
  /** stats/nearest-to-limit.ts. */
  standing: object | null = null

  constructor(key: string, argument: string | null = null, isKept = false) {
    this.key = key
    this.argument = argument
    this.isKept = isKept
  }
}

/** A cache of keys by set and subject, because finding a key is cheaper than building it: without it and what its keys
 *  remember, an allowed decision in process takes half as much again, and one that is refused from memory more. Two levels
 *  of Maps and no more: each further object would probably be a cache miss of the processor. Bounded by two generations:
 *  when the younger is full, the elder is dropped; a key found in the elder moves to the younger. */
export class KnownKeys {
  #young = new Map<CompiledRuleSet, Map<string, KnownKey>>()
  #old = new Map<CompiledRuleSet, Map<string, KnownKey>>()
  #size = 0

  /** The key of a set for a subject; built by `spell` when it is not cached. */
  get(set: CompiledRuleSet, subject: string, spell: (set: CompiledRuleSet, subject: string) => string): KnownKey {
    const known = this.#young.get(set)?.get(subject)
    if (known) return known
    const key = this.#old.get(set)?.get(subject) ?? new KnownKey(spell(set, subject), null, true)
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
