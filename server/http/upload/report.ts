import type { Decision } from '#server/limits/decision.ts'
import type { SentRefusal } from './refusal.ts'
import type { Taken } from './take-file.ts'

export type Item = Taken & {
  /** Cleaned; '' if the client sent none. */
  readonly filename: string
}

/** The outcome of a request's files. */
export interface Report {
  readonly items: readonly Item[]
  /** Why the request could not be read further; null if it could. */
  readonly refusal: SentRefusal | null
  /** The same, for pages, which say it in their reader's language. */
  readonly thrown: unknown
  /** Part of the request was not read. Files in that part are refused. */
  readonly isUnread: boolean
  /** The form's fields, the last value of each name. */
  readonly fields: ReadonlyMap<string, string>
  readonly decisions: readonly Decision[]
}
