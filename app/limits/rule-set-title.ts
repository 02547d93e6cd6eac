import type { Translate } from '#app/ui/translate.ts'
import { parseRuleSetName } from '#format/rule-set-name.ts'
import type { ruleSets } from '#messages/en/rule-sets.ts'

/** Returns what a rule set limits, in words; its name for one that a newer server has. */
export function ruleSetTitle(name: string, t: Translate<'ruleSets'>): string {
  const { key, whole } = parseRuleSetName(name)
  const message = `title.${key}` as `title.${keyof typeof ruleSets.title}`
  if (!t.has(message)) return name
  const title = t(message)
  return whole ? t(`whole.${whole}`, { title }) : title
}
