import type { Answer } from '../../algorithms/ledger.ts'
import type { Charge, RuleAnswer } from '../../store.ts'

/** The blocks of one key: until when each rule refuses everything because it has refused once (`blockFor`). The
 *  in-process counterpart of lua/blocks.lua. */
export class Blocks {
  readonly #untils: number[] = []

  /** The instant at which the last block ends, in milliseconds; 0 for none. */
  get until(): number {
    return Math.max(0, ...this.#untils)
  }

  /** How long each rule still refuses everything, in milliseconds; 0 for one that does not. */
  left(now: number): readonly number[] {
    return this.#untils.map((until) => Math.max(0, until - now))
  }

  /** Applies the blocks to the answers: a blocked rule has nothing remaining, and waits at least until its block
   *  ends. */
  hold(now: number, { rules }: Charge, answers: readonly Answer[]): void {
    for (const [index, answer] of answers.entries()) {
      const leftMs = (rules[index]?.blockMs ?? 0) > 0 ? (this.#untils[index] ?? 0) - now : 0
      if (leftMs <= 0) continue
      answer.remaining = 0
      answer.resetMs = Math.max(answer.resetMs, leftMs)
      answer.waitMs = Math.max(answer.waitMs, leftMs)
    }
  }

  /** Begins the block of each rule that refused and is not blocked yet, and applies the blocks to the answers. */
  refuse(now: number, charge: Charge, answers: readonly Answer[]): void {
    for (const [index, { blockMs }] of charge.rules.entries()) {
      const isBlocked = (this.#untils[index] ?? 0) > now
      if (blockMs > 0 && !isBlocked && (answers[index]?.waitMs ?? 0) > 0) this.#set(index, now + blockMs)
    }
    this.hold(now, charge, answers)
  }

  /** Takes over the blocks that began in another store, read from its answers. */
  adopt(now: number, { rules }: Charge, answers: readonly RuleAnswer[]): void {
    for (const [index, { blockMs }] of rules.entries()) {
      const waitMs = answers[index]?.waitMs ?? 0
      if (blockMs > 0 && waitMs > 0) this.#set(index, Math.max(this.#untils[index] ?? 0, now + waitMs))
    }
  }

  #set(index: number, until: number): void {
    while (this.#untils.length < index) this.#untils.push(0)
    this.#untils[index] = until
  }
}
