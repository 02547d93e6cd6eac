import type { Operation, Outcome, RuleAnswer } from '../store.ts'

const ANOTHER_FORM = 'Redis gave a reply of another form'
/** Bytes of a number, and how many numbers answer for a rule. */
const BYTES = 8
const NUMBERS = 4

/** Reads the reply of driver.lua to the operations of a trip: for each its outcome, or the error with which it failed.
 *  Throws Error when the reply as a whole is malformed. */
export function readReply(reply: unknown, operations: readonly Operation[]): readonly (Outcome | Error)[] {
  if (!Array.isArray(reply)) throw new Error(ANOTHER_FORM)
  const [numbers, ...rest]: unknown[] = reply
  if (!Buffer.isBuffer(numbers) || numbers.length < BYTES) throw new Error(ANOTHER_FORM)
  const errors = readErrors(rest)
  const view = new DataView(numbers.buffer, numbers.byteOffset, numbers.length)
  const at = view.getFloat64(0, true)
  if (!isWhole(at)) throw new Error(ANOTHER_FORM)
  const ofOne = [at]
  let place = BYTES
  const outcomes = operations.map((operation, index) => {
    const error = errors?.get(index + 1)
    if (error) return error
    const start = place
    const rules = rulesAnswering(operation)
    place += rules * NUMBERS * BYTES
    if (place > numbers.length) throw new Error(ANOTHER_FORM)
    const answers = readAnswers(view, start, rules)
    if (!answers) return new Error(ANOTHER_FORM)
    return { at: operation.charges.length === 1 ? ofOne : operation.charges.map(() => at), answers }
  })
  if (place !== numbers.length) throw new Error(ANOTHER_FORM)
  return outcomes
}

/** The errors by the places, from 1, of the operations that failed; null for none. */
function readErrors(pairs: readonly unknown[]): ReadonlyMap<unknown, Error> | null {
  if (pairs.length === 0) return null
  const errors = new Map<unknown, Error>()
  for (let i = 0; i < pairs.length; i += 2) errors.set(pairs[i], new Error(String(pairs[i + 1])))
  return errors
}

function readAnswers(numbers: DataView, start: number, rules: number): readonly RuleAnswer[] | null {
  const answers = new Array<RuleAnswer>(rules)
  let place = start
  for (let rule = 0; rule < rules; rule += 1) {
    const remaining = numbers.getFloat64(place, true)
    const resetMs = numbers.getFloat64(place + BYTES, true)
    const waitMs = numbers.getFloat64(place + 2 * BYTES, true)
    const delayMs = numbers.getFloat64(place + 3 * BYTES, true)
    if (!isWhole(remaining) || !isWhole(resetMs) || !isWhole(waitMs) || !isWhole(delayMs)) return null
    answers[rule] = { remaining, resetMs, waitMs, delayMs }
    place += NUMBERS * BYTES
  }
  return answers
}

function rulesAnswering({ type, charges }: Operation): number {
  if (type === 'refund' || type === 'reset') return 0
  let rules = 0
  for (const charge of charges) rules += charge.rules.length
  return rules
}

function isWhole(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0
}
