import type { Answer, Ledger } from '../algorithms/ledger.ts'
import { openLedger } from '../algorithms/open-ledger.ts'
import type { Charge, RuleAnswer } from '../store.ts'
import { Blocks } from './blocks.ts'

/** What is kept in process of one key. */
export class MemoryEntry {
  readonly key: string
  readonly ledger: Ledger
  #blocks: Blocks | null = null
  /** From this instant on it says what a new one says. */
  until = 0
  /** Whether it is kept, rather than asked what a new one would say. */
  isHeld = false
  /** Where it stands among those that are held. */
  place = -1
  /** Whether it counts many keys for which there was no room. */
  isOverflow = false
  /** Its neighbours in the list of those that may be put out, while it is there. */
  older: MemoryEntry | null = null
  newer: MemoryEntry | null = null
  isListed = false

  constructor(key: string, algorithm: Charge['algorithm']) {
    this.key = key
    this.ledger = openLedger[algorithm]()
  }

  ask(now: number, charge: Charge): Answer[] {
    const answers = this.ledger.ask(now, charge)
    this.#blocks?.hold(now, charge, answers)
    return answers
  }

  take(now: number, charge: Charge, answers: readonly Answer[]): void {
    this.ledger.take(now, charge, answers)
    this.#lastUntil()
  }

  refund(now: number, at: number, charge: Charge): void {
    this.ledger.refund(now, at, charge)
    this.#lastUntil()
  }

  /** Begins the blocks of the rules that refused. */
  refuse(now: number, charge: Charge, answers: readonly Answer[]): void {
    if (!this.#blocks && !canBlock(charge)) return
    this.#blocks ??= new Blocks()
    this.#blocks.refuse(now, charge, answers)
    this.#lastUntil()
  }

  /** Takes over the blocks that another store has answered with. */
  adoptBlocks(now: number, charge: Charge, answers: readonly RuleAnswer[]): void {
    this.#blocks ??= new Blocks()
    this.#blocks.adopt(now, charge, answers)
    this.#lastUntil()
  }

  isBlocked(now: number): boolean {
    return this.#blocks !== null && this.#blocks.until > now
  }

  #lastUntil(): void {
    const { emptyAt } = this.ledger
    this.until = this.#blocks ? Math.max(emptyAt, this.#blocks.until) : emptyAt
  }
}

/** Whether a refusal may outlast what was charged. */
export function canBlock({ rules }: Charge): boolean {
  for (const { blockMs } of rules) if (blockMs > 0) return true
  return false
}
