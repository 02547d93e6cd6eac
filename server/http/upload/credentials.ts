import type { IncomingMessage } from 'node:http'

/** Some clients put the word before a token that was pasted with it. */
const BEARER = /^(?:Bearer +)*(slu_\S*)$/i

/**
 * The Authorization header that a request means, wherever its client puts a token: in that header, with `Bearer` before it or
 * bare, in X-API-Key or `token`, as `key` or `token` in the address, or in a field of the form that came before. Cookies are
 * not looked at: a page of another site could send them. Undefined where there is none.
 */
export function authorizationOf(req: IncomingMessage, query: URLSearchParams, fields: ReadonlyMap<string, string>) {
  const { authorization, 'x-api-key': apiKey, token } = req.headers
  const given = [
    authorization,
    apiKey,
    token,
    query.get('key'),
    query.get('token'),
    fields.get('key'),
    fields.get('token'),
  ]
  for (const each of given.flat()) {
    const [, found] = BEARER.exec(each?.trim() ?? '') ?? []
    if (found) return `Bearer ${found}`
  }
  return undefined
}
