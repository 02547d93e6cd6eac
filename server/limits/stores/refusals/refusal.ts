import { NEVER } from '../../receipt.ts'
import { isEndKnown } from '../../returns.ts'
import type { CompiledRule } from '../../rules/compiled.ts'
import { type Charge, type Receipt, ReceiptLine, type RuleAnswer } from '../../store.ts'

/** The answers with which the store refused a charge, and when. */
export class Refusal {
  /** The generation that holds it; null once it is forgotten. */
  home: Map<string, Refusal> | null
  readonly rules: readonly CompiledRule[]
  readonly cost: number
  readonly answers: readonly RuleAnswer[]
  readonly at: number
  readonly #waitMs: number

  constructor(
    home: Map<string, Refusal>,
    { rules, cost }: Charge,
    answers: readonly RuleAnswer[],
    at: number,
    waitMs: number,
  ) {
    this.home = home
    this.rules = rules
    this.cost = cost
    this.answers = answers
    this.at = at
    this.#waitMs = waitMs
  }

  /** The first instant, in milliseconds of the clock, at which the refused charge passes. */
  get until(): number {
    return this.at + this.#waitMs
  }
}

/** Whether a refusal of the charge refuses at once, and for a known time. */
export function isRememberable(charge: Charge): boolean {
  const { mode, waitMs } = charge.facts
  return mode === 'enforce' && waitMs === 0 && isEndKnown(charge)
}

/** Whether what refused one charge refuses another of its key: one that costs as much, or more, under the same
 *  limits. */
export function holdsFor(refused: Refusal, asked: Charge): boolean {
  if (asked.cost < refused.cost || !isRememberable(asked)) return false
  return refused.rules === asked.rules || haveSameLimits(refused.rules, asked.rules)
}

/** Rules of one key. */
function haveSameLimits(one: readonly CompiledRule[], other: readonly CompiledRule[]): boolean {
  return one.every((rule, index) => {
    const twin = other[index]
    return twin?.limit === rule.limit && twin.blockMs === rule.blockMs && twin.windowMs === rule.windowMs
  })
}

/** The receipt of a call that a remembered refusal of one of its charges refuses: the others are not asked about. */
export function receiptFrom(refusal: Refusal, refused: Charge, charges: readonly Charge[], now: number): Receipt {
  const answers = new Array<RuleAnswer>(refusal.answers.length)
  let index = 0
  for (const answer of refusal.answers) {
    answers[index] = agedBy(now - refusal.at, answer)
    index += 1
  }
  return { charges, lines: [new ReceiptLine(refused, answers, false, NEVER)], answeredBy: 'cache' }
}

/** Reduces an answer's times by its age. Once its next permits have returned, only the wait of the refused charge is
 *  still known. */
function agedBy(ageMs: number, { remaining, resetMs, waitMs }: RuleAnswer): RuleAnswer {
  const leftMs = Math.max(0, waitMs - ageMs)
  return { remaining, resetMs: resetMs > ageMs ? resetMs - ageMs : leftMs, waitMs: leftMs, delayMs: 0 }
}
