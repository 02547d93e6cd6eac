import { median } from '../report/figures.ts'
import { type Goal, type Row, rate, spread } from '../report/table.ts'
import type { Contender } from './contender.ts'
import type { MeasuredBeside } from './rounds.ts'

/** The target of a contender, if it has one. */
export function goalOf({ target }: Contender, figure: number): readonly Goal[] {
  return target ? [{ target, figure }] : []
}

/** A contender's rate and its ratio to the adjacent baseline, which is compared with the target. Costs are those of
 *  measureBesideBare, or only of scriptCalls. */
export function rateRow({ contender, rates, ratio, costs: [scriptCalls = 0, ...processor] }: MeasuredBeside): Row {
  return {
    name: contender.name,
    cells: [
      ...[rate(median(rates)), ratio.median.toFixed(2), spread(ratio), perScriptCall(scriptCalls)],
      ...processor.map((us) => us.toFixed(1)),
    ],
    goals: goalOf(contender, ratio.median),
    raw: { rates, ratio, scriptCalls, processor },
  }
}

/** Decisions per unit of cost. */
function perScriptCall(scriptCalls: number): string {
  return scriptCalls === 0 ? 'asks no Redis' : (1 / scriptCalls).toFixed(scriptCalls > 1 ? 2 : 1)
}
