import type { CompiledRuleSet } from './rules/compiled.ts'

/** Of each generation. */
const MOST = 32_768

/** The keys of one subject, those of sets that were first asked for lately behind the others. */
type KeysOfSubject = { readonly set: CompiledRuleSet; readonly key: KnownKey }[]

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

/** Keys of whoever has called lately, by subject and set. To find one costs less than to spell it, and as much as to find
 *  anything else by it. Bounded: of two generations the older goes when the younger is full, and what was found in it is
 *  young again. */
export class KnownKeys {
  #young = new Map<string, KeysOfSubject>()
  #old = new Map<string, KeysOfSubject>()
  #size = 0
  /** The subject that was last asked for, with its young keys: a call charges several of its sets in turn. */
  #lastSubject: string | null = null
  #lastKeys: KeysOfSubject = []

  /** The key of a set for a subject, spelled by `spell` where it is not known. */
  get(set: CompiledRuleSet, subject: string, spell: (set: CompiledRuleSet, subject: string) => string): KnownKey {
    if (subject !== this.#lastSubject) this.#turnTo(subject)
    const known = keyIn(this.#lastKeys, set)
    if (known !== undefined) return known
    const key = keyIn(this.#old.get(subject) ?? [], set) ?? new KnownKey(spell(set, subject))
    this.#add(set, subject, key)
    return key
  }

  #add(set: CompiledRuleSet, subject: string, key: KnownKey): void {
    if (this.#size >= MOST) {
      this.#old = this.#young
      this.#young = new Map()
      this.#size = 0
      this.#turnTo(subject)
    }
    if (this.#lastKeys.length === 0) this.#young.set(subject, this.#lastKeys)
    this.#lastKeys.push({ set, key })
    this.#size += 1
  }

  #turnTo(subject: string): void {
    this.#lastSubject = subject
    this.#lastKeys = this.#young.get(subject) ?? []
  }
}

/** Looked for from the end: a set that an override has taken the place of is asked for by nobody any more. */
function keyIn(keys: KeysOfSubject, set: CompiledRuleSet): KnownKey | undefined {
  for (let at = keys.length - 1; at >= 0; at -= 1) {
    const known = keys[at]
    if (known?.set === set) return known.key
  }
  return undefined
}
