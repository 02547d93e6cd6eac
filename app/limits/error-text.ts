import type { Params } from '#messages/params.ts'

/** An error's `data.text`: a key of the area `errors` and its values. */
export interface ReceivedErrorText {
  readonly code: string
  readonly params: Params
}

/** Returns the text of a failed call; null if the failure has none. */
export function textIn(error: unknown): ReceivedErrorText | null {
  const text = property(property(error, 'data'), 'text')
  return isText(text) ? text : null
}

const isText = (text: unknown): text is ReceivedErrorText =>
  typeof property(text, 'code') === 'string' && typeof property(text, 'params') === 'object'

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
