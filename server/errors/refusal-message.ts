import { translate } from '#messages/translate.ts'
import type { RefusalData } from '#server/limits/describe.ts'

/** A limit's refusal in English: which rule, and how long to wait. Pages make their own of `data.limit`. */
export const refusalMessage = ({ ruleSet, rule, retryAfterMs }: RefusalData): string =>
  translate('errors.limit-reached', { ruleSet, rule, wait: { waitMs: retryAfterMs } })
