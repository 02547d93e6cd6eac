import { formatBytesApart } from '#format/bytes.ts'
import { formatUtcMinute } from '#format/dates.ts'
import { formatWait } from '#format/durations.ts'
import type { Locale } from '#format/locale.ts'
import { formatRule, type RuleParts } from '#format/rules.ts'

/** A value of a message, as the server sends it: formatted where it is read, in the reader's language. */
export type Param =
  | string
  /** A size. Beside another one it is given to the byte where both would read alike. */
  | { readonly bytes: number; readonly beside?: number }
  | { readonly waitMs: number }
  /** What a limit's rule allows. */
  | { readonly rule: RuleParts }
  /** An instant, ISO 8601, shown in UTC. */
  | { readonly at: string }

export type Params = Readonly<Record<string, Param | number>>

/** The values with which use-intl formats a message. */
export const formatParams = (params: Params, locale: Locale): Record<string, string | number> =>
  Object.fromEntries(Object.entries(params).map(([name, param]) => [name, formatParam(param, locale)]))

function formatParam(param: Param | number, locale: Locale): string | number {
  if (typeof param !== 'object') return param
  if ('bytes' in param) return formatBytesApart(param.bytes, param.beside ?? Number.NaN, locale)[0]
  if ('waitMs' in param) return formatWait(param.waitMs, locale)
  if ('rule' in param) return formatRule(param.rule, locale)
  return `${formatUtcMinute(param.at)} UTC`
}
