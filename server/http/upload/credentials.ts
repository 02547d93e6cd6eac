import type { IncomingMessage } from 'node:http'

/** Some clients add `Bearer` to a token that was pasted with it, so the word may occur twice. */
const BEARER = /^(?:Bearer +)*(slu_\S*)$/i

/**
 * Returns the request's token as an Authorization header, wherever the client puts it: in that header with or without `Bearer`,
 * in X-API-Key or `token`, as `key` or `token` in the address, or in an earlier field of the form. Cookies are ignored, because
 * a page of another site could send them. Undefined if there is no token.
 */
export function readAuthorization(req: IncomingMessage, query: URLSearchParams, fields: ReadonlyMap<string, string>) {
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
