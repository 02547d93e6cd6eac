import type { Answer, Ledger } from '../algorithms/ledger.ts'
import { openLedger } from '../algorithms/open-ledger.ts'
import type { Charge, LimitStore, RuleAnswer } from '../store.ts'
import { Blocks } from './blocks.ts'

/** What is kept in process of one key. */
export class MemoryEntry {
  readonly key: string
  readonly ledger: Ledger
  #blocks: Blocks | null = null
  /** The store that holds it, while one does. */
  holder: LimitStore | null = null
  /** Where it stands among those that are held; -1 while it is only asked what a new one would say. */
  place = -1
  /** Whether it counts many keys for which there was no room. */
  isOverflow = false
  /** Its neighbours in the line of those that may be put out, while it is there, and whether it was used meanwhile. */
  before: MemoryEntry | null = null
  behind: MemoryEntry | null = null
  isListed = false
  isUsed = false

  constructor(key: string, algorithm: Charge['algorithm']) {
    this.key = key
    this.ledger = openLedger[algorithm]()
  }

  /** From this instant on it says what a new one says. */
  get until(): number {
    const { emptyAt } = this.ledger
    return this.#blocks ? Math.max(emptyAt, this.#blocks.until) : emptyAt
  }

  ask(now: number, charge: Charge): Answer[] {
    const answers = this.ledger.ask(now, charge)
    this.#blocks?.hold(now, charge, answers)
    return answers
  }

  /** Begins the blocks of the rules that refused. */
  refuse(now: number, charge: Charge, answers: readonly Answer[]): void {
    if (!this.#blocks && !canBlock(charge)) return
    this.#blocks ??= new Blocks()
    this.#blocks.refuse(now, charge, answers)
  }

  /** Takes over the blocks that another store has answered with. */
  adoptBlocks(now: number, charge: Charge, answers: readonly RuleAnswer[]): void {
    this.#blocks ??= new Blocks()
    this.#blocks.adopt(now, charge, answers)
  }

  isBlocked(now: number): boolean {
    return this.#blocks !== null && this.#blocks.until > now
  }
}

/** Whether a refusal may outlast what was charged. */
export function canBlock({ rules }: Charge): boolean {
  for (const { blockMs } of rules) if (blockMs > 0) return true
  return false
}
