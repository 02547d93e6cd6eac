import type { Mode } from './rule-set.ts'
import type { Charge, Instants, Receipt, ReceiptLine, RuleAnswer } from './store.ts'

/** For each mode whether all of its charges pass. */
export function passing(lines: Iterable<Pick<ReceiptLine, 'charge' | 'answers'>>): Readonly<Record<Mode, boolean>> {
  const passes = { enforce: true, shadow: true, degrade: true }
  for (const { charge, answers } of lines) if (isRefused(answers)) passes[charge.facts.mode] = false
  return passes
}

/** Whether a take with these results charges the set's permits: what `take` means (store.ts), in every store. */
export function isTakenIf(passes: Readonly<Record<Mode, boolean>>, { facts }: Charge): boolean {
  return passes.enforce && passes[facts.mode]
}

/** Whether a rule refuses the charge. */
export function isRefused(answers: readonly RuleAnswer[]): boolean {
  for (const { waitMs } of answers) if (waitMs > 0) return true
  return false
}

/** Whether an enforcing rule refuses the call. */
export function refusesCall({ lines }: Receipt): boolean {
  for (const { charge, answers, isTaken } of lines)
    if (!isTaken && charge.facts.mode === 'enforce' && isRefused(answers)) return true
  return false
}

/** The charges that the operation has charged. */
export function takenIn({ lines }: Receipt): readonly Charge[] {
  return lines.filter(({ isTaken }) => isTaken).map(({ charge }) => charge)
}

/** For a charge that nothing has counted. */
export const NEVER: Instants = { store: 0, here: 0 }
