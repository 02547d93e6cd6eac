import type { Params } from '#messages/params.ts'

/** What a server says of a failed call: the key of a message and its values. */
export interface ReceivedErrorText {
  readonly code: string
  readonly params: Params
}

/** Returns an error's `data.text`, a message of the area `errors`; null if it has none. */
export function textIn(error: unknown): ReceivedErrorText | null {
  const text = property(property(error, 'data'), 'text')
  return isText(text) ? text : null
}

/** Returns the first of an error's `data.issues`, a message of the area `invalid`; null for a call that was not refused for its
 *  input. An issue without a code of ours is written for programmers. */
export function issueIn(error: unknown): ReceivedErrorText | null {
  const issues = property(property(error, 'data'), 'issues')
  if (!Array.isArray(issues)) return null
  const [issue]: readonly unknown[] = issues
  return isText(issue) ? issue : { code: 'input', params: {} }
}

const isText = (text: unknown): text is ReceivedErrorText =>
  typeof property(text, 'code') === 'string' && typeof property(text, 'params') === 'object'

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
