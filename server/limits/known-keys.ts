import type { CompiledRuleSet } from './rules/compiled.ts'

/** Of each generation. */
const MOST = 32_768

/** A key, with what was found by it before: whoever is given it need not look for that again. What it is, and whether it
 *  is still kept, its finder knows: there may be several of a kind. */
export class KnownKey {
  readonly key: string
  /** Among the keys of a subject: whose it is, and that of another set, first asked for before. */
  readonly set: CompiledRuleSet | null
  before: KnownKey | null = null
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

  constructor(key: string, set: CompiledRuleSet | null = null) {
    this.key = key
    this.set = set
  }
}

/** Keys of whoever has called lately, by subject and set. To find one costs less than to spell it, and as much as to find
 *  anything else by it; each object that lies on the way to it is one that no cache of the processor has. Bounded: of two
 *  generations the older goes when the younger is full, and what was found in it is young again. */
export class KnownKeys {
  /** Of each subject the last key, with the others behind it. */
  #young = new Map<string, KnownKey>()
  #old = new Map<string, KnownKey>()
  #size = 0
  /** The subject that was last asked for, with its last young key: a call charges several of its sets in turn. */
  #lastSubject: string | null = null
  #lastKey: KnownKey | null = null

  /** The key of a set for a subject, spelled by `spell` where it is not known. */
  get(set: CompiledRuleSet, subject: string, spell: (set: CompiledRuleSet, subject: string) => string): KnownKey {
    if (subject !== this.#lastSubject) this.#turnTo(subject)
    const known = keyOf(set, this.#lastKey)
    if (known !== null) return known
    const key = this.#takeOld(set, subject) ?? new KnownKey(spell(set, subject), set)
    this.#add(subject, key)
    return key
  }

  #add(subject: string, key: KnownKey): void {
    if (this.#size >= MOST) {
      this.#old = this.#young
      this.#young = new Map()
      this.#size = 0
      this.#turnTo(subject)
    }
    key.before = this.#lastKey
    this.#lastKey = key
    this.#young.set(subject, key)
    this.#size += 1
  }

  /** Takes it from among the old ones. */
  #takeOld(set: CompiledRuleSet, subject: string): KnownKey | null {
    const last = this.#old.get(subject) ?? null
    const key = keyOf(set, last)
    if (last === null || key === null) return null
    let after = last
    while (after.before !== null && after.before !== key) after = after.before
    if (key !== last) after.before = key.before
    else if (key.before !== null) this.#old.set(subject, key.before)
    else this.#old.delete(subject)
    return key
  }

  #turnTo(subject: string): void {
    this.#lastSubject = subject
    this.#lastKey = this.#young.get(subject) ?? null
  }
}

/** Whichever of them is the set's. One that an override has taken the place of is asked for by nobody any more: it lies
 *  behind. */
function keyOf(set: CompiledRuleSet, last: KnownKey | null): KnownKey | null {
  let key = last
  while (key !== null && key.set !== set) key = key.before
  return key
}
