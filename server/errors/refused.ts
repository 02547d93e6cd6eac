import type { Params } from '#messages/params.ts'
import type { ErrorCode } from './codes.ts'

/** What people are told of an error, in any language: the key of a message in the area `errors`, and its values. */
export interface ErrorText {
  readonly code: ErrorCode
  readonly params: Params
}

/** The cause of an error that is not a bug: `reason` is the answer's `data.reason` and `text` its `data.text`. */
export class Refused extends Error {
  override name = 'Refused'
  readonly reason: string | null
  readonly text: ErrorText | null

  constructor(reason: string | null, text: ErrorText | null = null) {
    super(reason ?? text?.code)
    this.reason = reason
    this.text = text
  }
}

/** Whether an error has a sentence for people as its message. */
export const isRefusal = (error: unknown): error is Error => error instanceof Error && error.cause instanceof Refused
