import { isRefused, isTakenIf, passing } from '../../receipt.ts'
import { type Instants, type Operation, type Receipt, ReceiptLine, type RuleAnswer } from '../../store.ts'

const UNREADABLE = 'the reply of Redis has another form'
/** Bytes of a number, and how many numbers answer for a rule. */
const BYTES = 8
const NUMBERS = 4

/** Reads the reply of driver.lua to the operations of a trip, which arrived at the instant `here` of this process's
 *  clock: for each operation its receipt, or the error with which it failed. Throws Error when the reply as a whole is
 *  malformed. */
export function readReply(
  reply: unknown,
  operations: readonly Operation[],
  here: number,
): readonly (Receipt | Error)[] {
  if (!Array.isArray(reply)) throw new Error(UNREADABLE)
  const [bytes, ...rest]: unknown[] = reply
  if (!Buffer.isBuffer(bytes) || bytes.length < BYTES) throw new Error(UNREADABLE)
  const errors = readErrors(rest)
  const numbers = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const at = { store: numbers.getFloat64(0, true), here }
  if (!isWhole(at.store)) throw new Error(UNREADABLE)
  let place = BYTES
  const receipts = operations.map((operation, index) => {
    const error = errors?.get(index + 1)
    if (error) return error
    const start = place
    place += rulesAnswering(operation) * NUMBERS * BYTES
    if (place > bytes.length) throw new Error(UNREADABLE)
    return readReceipt(numbers, start, operation, at)
  })
  if (place !== bytes.length) throw new Error(UNREADABLE)
  return receipts
}

/** The errors by the places, from 1, of the operations that failed; null for none. */
function readErrors(pairs: readonly unknown[]): ReadonlyMap<unknown, Error> | null {
  if (pairs.length === 0) return null
  const errors = new Map<unknown, Error>()
  for (let i = 0; i < pairs.length; i += 2) errors.set(pairs[i], new Error(String(pairs[i + 1])))
  return errors
}

function readReceipt(numbers: DataView, start: number, { type, charges }: Operation, at: Instants): Receipt | Error {
  const lines = new Array<ReceiptLine>(charges.length)
  const isTaken = type === 'take' || type === 'force'
  let isLacking = false
  let place = start
  let index = 0
  for (const charge of charges) {
    const rules = hasAnswers(type) ? charge.rules.length : 0
    const answers = readAnswers(numbers, place, rules)
    if (!answers) return new Error(UNREADABLE)
    lines[index] = new ReceiptLine(charge, answers, isTaken, at)
    isLacking ||= isRefused(answers)
    place += rules * NUMBERS * BYTES
    index += 1
  }
  if (isLacking && type === 'take') markTaken(lines)
  return { charges, lines, answeredBy: 'store' }
}

/** Marks what a take has charged for which permits lacked. */
function markTaken(lines: readonly ReceiptLine[]): void {
  const [only] = lines
  if (only && lines.length === 1) {
    only.isTaken = false
    return
  }
  const passes = passing(lines)
  for (const line of lines) line.isTaken = isTakenIf(passes, line.charge)
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
  if (!hasAnswers(type)) return 0
  let rules = 0
  for (const charge of charges) rules += charge.rules.length
  return rules
}

function hasAnswers(type: Operation['type']): boolean {
  return type !== 'refund' && type !== 'reset'
}

function isWhole(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0
}
