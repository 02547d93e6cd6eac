import type { Answer, Ledger } from '../../algorithms/ledger.ts'
import { openLedger } from '../../algorithms/open-ledger.ts'
import { type Charge, canBlock, type RuleAnswer } from '../../store.ts'
import { Blocks } from './blocks.ts'

/** What is kept in process of one key. */
export class MemoryEntry {
  readonly key: string
  readonly ledger: Ledger
  #blocks: Blocks | null = null
  /** The MemoryEntries that keep it, or null. */
  holder: object | null = null
  /** Its index in their sweep list; -1 while none keep it. */
  place = -1
  /** Whether it counts for all the keys of a set for which there was no room. */
  isOverflow = false
  /** Its neighbours in the eviction list, whether it is in there, and whether it was used since (second-chance.ts). */
  before: MemoryEntry | null = null
  behind: MemoryEntry | null = null
  isListed = false
  isUsed = false

  constructor(key: string, algorithm: Charge['algorithm']) {
    this.key = key
    this.ledger = openLedger[algorithm]()
  }

  /** The instant in milliseconds from which on the entry equals a new one and may be forgotten. */
  get until(): number {
    const { emptyAt } = this.ledger
    return this.#blocks ? Math.max(emptyAt, this.#blocks.until) : emptyAt
  }

  ask(now: number, charge: Charge): Answer[] {
    const answers = this.ledger.ask(now, charge)
    if (canBlock(charge)) this.#blocks?.hold(now, charge, answers)
    return answers
  }

  /** Begins a block for each rule that refused and has a `blockFor`. */
  refuse(now: number, charge: Charge, answers: readonly Answer[]): void {
    if (!canBlock(charge)) return
    this.#blocks ??= new Blocks()
    this.#blocks.refuse(now, charge, answers)
  }

  /** Takes over the blocks that began in another store, read from its answers. */
  adoptBlocks(now: number, charge: Charge, answers: readonly RuleAnswer[]): void {
    this.#blocks ??= new Blocks()
    this.#blocks.adopt(now, charge, answers)
  }

  /** How long each of its rules stays blocked, in milliseconds. */
  blockedFor(now: number): readonly number[] {
    return this.#blocks?.left(now) ?? []
  }

  isBlocked(now: number): boolean {
    return this.#blocks !== null && this.#blocks.until > now
  }
}
