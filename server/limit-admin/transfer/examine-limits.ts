import { translate } from '#messages/translate.ts'
import { toSentence } from '#server/errors/refuse.ts'
import type { ErrorText } from '#server/errors/refused.ts'
import { describeWarning, type RuleWarning } from '#server/limits/rules/warnings.ts'
import type { OverrideBook } from '../overrides/override-book.ts'
import { overrideWarnings } from '../overrides/override-rules.ts'
import { targetText } from '../overrides/override-target.ts'

/** Returns a sentence, with its mend, for each stored override and added rule set that is not in force, because it cannot work or
 *  names what no longer exists, and for each whose rules contradict each other. Rejects when the database fails. */
export async function examineLimits(book: OverrideBook): Promise<readonly string[]> {
  const overrides = await book.load()
  return [
    ...overrides.flatMap(({ ruleSet, procedure, target, terms, problem }) => {
      const what = procedure === undefined ? ruleSet : `${ruleSet} @ ${procedure}`
      const warnings = problem || !terms ? [] : overrideWarnings(book.catalogue, { ruleSet, procedure, target, terms })
      return findings(translate('cli.owner.examinedOverride', { what, target: targetText(target) }), problem, warnings)
    }),
    ...book.sets.flatMap(({ name, procedure, set, problem }) => {
      const warnings = problem || !set ? [] : book.checkSet({ name, procedure, set }).warnings
      return findings(translate('cli.owner.examinedSet', { name, procedure }), problem, warnings)
    }),
  ]
}

function findings(what: string, problem: ErrorText | null, warnings: readonly RuleWarning[]): readonly string[] {
  const ignored = problem ? [translate('cli.owner.limitIgnored', { what, problem: toSentence(problem) })] : []
  return [
    ...ignored,
    ...warnings.map((warning) => translate('cli.owner.limitInVain', { what, warning: describeWarning(warning) })),
  ]
}
