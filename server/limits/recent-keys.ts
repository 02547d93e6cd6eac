import type { CompiledRuleSet } from './rules/compiled.ts'

/** Of each generation. */
const MOST = 32_768

type Keys = Map<CompiledRuleSet, Map<string, string>>

/** Keys of whoever has called lately, by set and subject. To find one costs less than to spell it, and it has been hashed
 *  before, which is the most that a look into a map costs. Bounded: of two generations the older goes when the younger is
 *  full, and what was found in it is young again. */
export class RecentKeys {
  #young: Keys = new Map()
  #old: Keys = new Map()
  #size = 0

  /** The key of a set for a subject, spelled by `spell` where it is not known. */
  get(set: CompiledRuleSet, subject: string, spell: (set: CompiledRuleSet, subject: string) => string): string {
    const known = this.#young.get(set)?.get(subject)
    if (known !== undefined) return known
    const key = this.#old.get(set)?.get(subject) ?? spell(set, subject)
    this.#add(set, subject, key)
    return key
  }

  #add(set: CompiledRuleSet, subject: string, key: string): void {
    if (this.#size >= MOST) {
      this.#old = this.#young
      this.#young = new Map()
      this.#size = 0
    }
    const keys = this.#young.get(set) ?? new Map<string, string>()
    this.#young.set(set, keys.set(subject, key))
    this.#size += 1
  }
}
