import type { Params } from '#messages/params.ts'

/** What an error's `data.text` holds: a key of the area `errors` and its values. */
export interface ErrorText {
  readonly code: string
  readonly params: Params
}

/** The text of a failed call; null for a failure that has none. */
export function textIn(error: unknown): ErrorText | null {
  const text = property(property(error, 'data'), 'text')
  return isText(text) ? text : null
}

const isText = (text: unknown): text is ErrorText =>
  typeof property(text, 'code') === 'string' && typeof property(text, 'params') === 'object'

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
