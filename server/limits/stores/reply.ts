import type { Operation, Outcome, RuleAnswer } from '../store.ts'

const ANOTHER_FORM = 'Redis gave a reply of another form'

/** What driver.lua replies to the operations of a trip: the outcome of each, or why it failed. Throws Error for a reply of
 *  another form. */
export function readReply(reply: unknown, operations: readonly Operation[]): readonly (Outcome | Error)[] {
  if (!Array.isArray(reply)) throw new Error(ANOTHER_FORM)
  const [at]: unknown[] = reply
  if (!isWhole(at)) throw new Error(ANOTHER_FORM)
  let place = 1
  const outcomes = operations.map((operation) => {
    const first: unknown = reply[place]
    const rules = rulesAnswering(operation)
    const start = place
    place += typeof first === 'string' ? 1 : Math.max(1, rules * NUMBERS)
    if (typeof first === 'string') return new Error(first)
    const answers = readAnswers(reply, start, rules)
    return answers ? { at: operation.charges.map(() => at), answers } : new Error(ANOTHER_FORM)
  })
  if (place !== reply.length) throw new Error(ANOTHER_FORM)
  return outcomes
}

/** How many integers answer for a rule. */
const NUMBERS = 4

function readAnswers(reply: readonly unknown[], start: number, rules: number): readonly RuleAnswer[] | null {
  const answers: RuleAnswer[] = []
  for (let place = start; answers.length < rules; place += NUMBERS) {
    const remaining = reply[place]
    const resetMs = reply[place + 1]
    const waitMs = reply[place + 2]
    const delayMs = reply[place + 3]
    if (!isWhole(remaining) || !isWhole(resetMs) || !isWhole(waitMs) || !isWhole(delayMs)) return null
    answers.push({ remaining, resetMs, waitMs, delayMs })
  }
  return answers
}

function rulesAnswering({ type, charges }: Operation): number {
  if (type === 'refund' || type === 'reset') return 0
  let rules = 0
  for (const charge of charges) rules += charge.rules.length
  return rules
}

function isWhole(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}
