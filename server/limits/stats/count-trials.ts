import { isRefused } from '../receipt.ts'
import type { TrialCounts } from '../rules/compiled.ts'
import type { Receipt } from '../store.ts'

/** Counts an allowed call for each trial whose rules were asked about it: once, however many rules or values they counted. */
export function countTrials({ lines }: Receipt): void {
  const asked = new Map<TrialCounts, boolean>()
  for (const { charge, answers } of lines) {
    const { trial } = charge.facts
    if (trial) asked.set(trial, asked.get(trial) === true || isRefused(answers))
  }
  for (const [trial, wouldRefuse] of asked) {
    trial.asked += 1
    if (wouldRefuse) trial.refused += 1
  }
}
