import type { Locale } from '#format/locale.ts'
import { parseRuleSetName } from '#format/rule-set-name.ts'
import { formatRule } from '#format/rules.ts'
import { en } from '#messages/en.ts'
import { type Translate, translate, translateLoose } from '#messages/translate.ts'
import type { ErrorText } from '#server/errors/refused.ts'
import type { RefusalData } from '#server/limits/describe.ts'

/** A sentence that programs read in English, and people in their own language; where `isCounted`, above a countdown of the wait. */
export type Sentence = (say: Translate, locale: Locale, isCounted: boolean) => string

export const inEnglish = (sentence: Sentence): string => sentence(translate, 'en', false)

/** Describes a limit's refusal: the rule and the wait. Programs read the name of the rule set, people what it limits. */
export const refusalSentence =
  ({ ruleSet, parts, retryAfterMs }: RefusalData): Sentence =>
  (say, locale, isCounted) => {
    const rule = parts ? formatRule(parts, locale) : say('failures.nothingWithoutStore')
    if (isCounted) return say('http.limitReached', { ruleSet: titleOf(ruleSet, say, locale), rule })
    return say('errors.limit-reached', { ruleSet, rule, wait: { waitMs: retryAfterMs } })
  }

/** As app/limits/rule-set-title.ts. */
function titleOf(ruleSet: string, say: Translate, locale: Locale): string {
  const { key, whole } = parseRuleSetName(ruleSet)
  if (!Object.hasOwn(en.ruleSets.title, key)) return ruleSet
  const title = translateLoose(`ruleSets.title.${key as keyof typeof en.ruleSets.title}`, {}, locale)
  return whole ? say(`ruleSets.whole.${whole}`, { title }) : title
}

/** The sentence of an error that a procedure would throw. */
export const errorSentence =
  ({ code, params }: ErrorText): Sentence =>
  (_, locale) =>
    translateLoose(`errors.${code}`, params, locale)
