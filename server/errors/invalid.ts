import type { z } from 'zod'
import { DEFAULT_LOCALE, type Locale } from '#format/locale.ts'
import { invalid as sentences } from '#messages/en/invalid.ts'
import { translate, translateLoose } from '#messages/translate.ts'

type InvalidCode = keyof typeof sentences

/**
 * Returns a code as the message of a zod check: `z.string().regex(pattern, invalid('username'))`. Its sentence may use
 * zod's `minimum` and `maximum`, and the `params` of a custom issue.
 */
export const invalid = (code: InvalidCode): InvalidCode => code

/** Describes the problem of a field, in English and as a code. `code` is null for zod's own messages. */
export function toIssue(issue: z.core.$ZodIssue) {
  const code = isCode(issue.message) ? issue.message : null
  const params = code ? readParams(issue) : {}
  const message = code ? translateLoose(`invalid.${code}`, params, DEFAULT_LOCALE) : issue.message
  return { path: issue.path.join('.'), message, code, params }
}

/** Returns the first problem for people. Zod's own messages are written for programmers. */
export function sayProblem({ issues: [issue] }: z.ZodError, locale: Locale): string {
  const { code, params } = issue ? toIssue(issue) : { code: null, params: {} }
  return translateLoose(`invalid.${code ?? 'input'}`, params, locale)
}

/** Returns the first problem, in English. */
export function firstProblem({ issues: [issue] }: z.ZodError): string {
  return issue ? toIssue(issue).message : translate('invalid.input')
}

const isCode = (message: string): message is InvalidCode => Object.hasOwn(sentences, message)

function readParams(issue: z.core.$ZodIssue): Record<string, string | number> {
  const entries = Object.entries(issue.code === 'custom' ? (issue.params ?? {}) : issue)
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string | number] => ['string', 'number'].includes(typeof entry[1])),
  )
}
