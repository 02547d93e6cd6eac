import type { Charge, Receipt, RuleAnswer } from '#server/limits/store.ts'

/** Returns the answers of all rules that were asked, in order. */
export function answersIn({ lines }: Receipt): readonly RuleAnswer[] {
  return lines.flatMap(({ answers }) => answers)
}

/** Makes a receipt of charges, with the answers of all their rules in order. */
export function makeReceipt(
  charges: readonly Charge[],
  answers: readonly RuleAnswer[],
  answeredBy: Receipt['answeredBy'] = 'store',
): Receipt {
  let next = 0
  const lines = charges.map((charge) => {
    const own = answers.slice(next, next + charge.rules.length)
    next += charge.rules.length
    return { charge, answers: own, isTaken: own.every(({ waitMs }) => waitMs === 0), at: { store: 0, here: 0 } }
  })
  return { charges, lines, answeredBy }
}

/** Returns the instant of each charge by the store's clock, which a refund needs. */
export function instantsIn({ lines }: Receipt): readonly number[] {
  return lines.map(({ at }) => at.store)
}
