import type { Decision } from '#server/limits/decision.ts'
import type { Refusal } from './refusal.ts'
import type { Taken } from './take-file.ts'

export type Item = Taken & {
  /** Cleaned; '' where the client gave none. */
  readonly filename: string
}

/** What became of the files of a request. */
export interface Report {
  readonly items: readonly Item[]
  /** Why there are no more: the request could not be read further. */
  readonly refusal: Refusal | null
  /** Something of the request was not read: what files it may have held are refused. */
  readonly isUnread: boolean
  /** The fields of its form, the last of each name. */
  readonly fields: ReadonlyMap<string, string>
  readonly decisions: readonly Decision[]
}
