/** What is wrong with the content of a file. */
export type ContentProblem = 'svg' | 'unsupported'

/** Answers that stay the same however often the file is sent. */
export const finalStatuses: readonly number[] = [403, 413, 415, 422]

/** Why a file was not uploaded: the key of a message, with its values. */
export type UploadProblem =
  | {
      readonly code:
        | ContentProblem
        | 'connectionLost'
        | 'damaged'
        | 'empty'
        | 'forbidden'
        | 'full'
        | 'noAnswer'
        | 'stalled'
        | 'tooLargeUnknown'
        | 'unreachable'
        | 'unreadable'
    }
  | { readonly code: 'tooLarge'; readonly size: number; readonly limit: number }
  | { readonly code: 'fault'; readonly requestId: string | null }
  /** Refused by the server for the reason in `error`. */
  | { readonly code: 'refused'; readonly error: Error }
