import type { Translate } from '#app/ui/translate.ts'
import type { Formats } from '#format/formats.ts'
import type { RefusingRule } from './refusal.ts'

/** The rule that refused a call in words: `100 per minute`. */
export function refusingRuleText(rule: RefusingRule, t: Translate<'failures'>, format: Formats): string {
  if (rule === 'store') return t('nothingWithoutStore')
  return rule === 'unknown' ? t('tooMany') : format.rule(rule)
}
