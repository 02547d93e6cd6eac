import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import type { CustomFetch, CustomFetchOptions } from 'openid-client'
import { refuse } from '#server/errors/refuse.ts'
import { createLookup, findPrivateTarget, hostOf, isPublic, type Resolve, resolveAll } from '#server/webhooks/post.ts'
import { isLoopback } from './issuer.ts'

/** The largest answer of a provider, in bytes. */
const MAX_ANSWER = 256 * 1024

interface FetchOptions {
  /** The provider's issuer, as it was configured. */
  readonly issuer: URL
  readonly deadlineMs: number
  readonly resolve?: Resolve
}

/**
 * Returns the fetch of one provider. Its endpoints are what the issuer says they are, so they may be at any host, but only the issuer's
 * own host may have a private address: no provider leads the server into its network, except one that is there itself. Addresses are
 * checked when connecting, redirects are not followed, and answers end at a deadline and at a size. Rejects with what a page can say.
 */
export function createProviderFetch({ issuer, deadlineMs, resolve = resolveAll }: FetchOptions): CustomFetch {
  return async (address, options) => {
    const url = new URL(address)
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url))) throw refuse('provider-insecure')
    const mayBePrivate = url.host === issuer.host || (await findPrivateTarget(issuer, resolve)) !== null
    const host = hostOf(url)
    if (!mayBePrivate && isIP(host) !== 0 && !isPublic(host)) throw refuseHost(host)
    const deadline = AbortSignal.timeout(deadlineMs)
    const signal = options.signal ? AbortSignal.any([options.signal, deadline]) : deadline
    const lookup = createLookup(resolve, mayBePrivate ? () => true : isPublic, refuseHost)
    return send(url, options, { signal, lookup }).catch((error: unknown) => {
      throw deadline.aborted ? refuse('provider-silent', { wait: { waitMs: deadlineMs } }) : error
    })
  }
}

const refuseHost = (address: string) => refuse('provider-private', { address })

interface Sending {
  readonly signal: AbortSignal
  readonly lookup: ReturnType<typeof createLookup>
}

async function send(url: URL, { method, headers, body }: CustomFetchOptions, options: Sending): Promise<Response> {
  const open = url.protocol === 'https:' ? requestHttps : requestHttp
  const text = body === undefined || body === null ? '' : String(body)
  const length = text === '' ? {} : { 'content-length': String(Buffer.byteLength(text)) }
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  // A fresh connection, so that its address is the one checked.
  const request = open(url, { method, headers: { ...headers, ...length }, agent: false, ...options })
  request.on('error', reject)
  request.on('response', resolve)
  request.end(text)
  return read(await promise)
}

async function read(answer: IncomingMessage): Promise<Response> {
  const { statusCode: status = 502, headers } = answer
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of answer) {
    chunks.push(chunk)
    size += chunk.length
    // Leaving the loop ends the connection.
    if (size > MAX_ANSWER) throw refuse('provider-too-large')
  }
  const isBare = status === 204 || status === 304
  const type = headers['content-type']
  return new Response(isBare ? null : Buffer.concat(chunks), { status, headers: type ? { 'content-type': type } : {} })
}
