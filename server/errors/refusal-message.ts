import { translate } from '#messages/translate.ts'
import type { RefusalData } from '#server/limits/describe.ts'

/** Describes a limit's refusal in English: the rule and the wait. Pages write their own sentence from `data.limit`. */
export const refusalMessage = ({ ruleSet, rule, retryAfterMs }: RefusalData): string =>
  translate('errors.limit-reached', { ruleSet, rule, wait: { waitMs: retryAfterMs } })
