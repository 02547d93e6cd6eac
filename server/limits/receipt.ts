import type { Mode } from './rule-set.ts'
import type { Charge, Instants, Receipt, ReceiptLine, RuleAnswer } from './store.ts'

/** Charges are taken with those of their mode; rules in trial by themselves, so that no other shadow changes what they count. */
export function takenWith({ facts: { mode, trial } }: Pick<Charge, 'facts'>): string {
  return trial ? `trial/${trial.ruleSet}` : mode
}

/** Of each group of charges that are taken together, whether all pass; a group that is absent passes. */
export interface Passing extends Readonly<Record<Mode, boolean>> {
  readonly [group: string]: boolean | undefined
}

export function passing(lines: Iterable<Pick<ReceiptLine, 'charge' | 'answers'>>): Passing {
  const passes: Record<Mode, boolean> & Record<string, boolean> = { enforce: true, shadow: true, degrade: true }
  for (const { charge, answers } of lines) if (isRefused(answers)) passes[takenWith(charge)] = false
  return passes
}

/** Whether a take with these results charges the set's permits: what `take` means (store.ts), in every store. */
export function isTakenIf(passes: Passing, charge: Charge): boolean {
  return passes.enforce && passes[takenWith(charge)] !== false
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
