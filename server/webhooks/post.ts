import { type LookupAddress, lookup } from 'node:dns'
import { type ClientRequest, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Finds the addresses of a name; a test's own. */
export type Resolve = (name: string, answer: (error: Error | null, addresses: LookupAddress[]) => void) => void

export interface Post {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly signal: AbortSignal
  /** Whether it may be sent to addresses of private networks and of this machine. */
  readonly mayBePrivate: boolean
  readonly resolve?: Resolve
}

/**
 * Posts JSON, and answers the status. Follows no redirect and reads no body. The address is looked at where it is connected
 * to, so that no name leads elsewhere meanwhile. Rejects, in words for whoever entered the URL, when there is no answer.
 */
export async function post({ url, headers, body, signal, mayBePrivate, resolve = resolveAll }: Post): Promise<number> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (!mayBePrivate && ipaddr.isValid(host) && !isPublic(host)) throw new Error(refusalOf(host))
  const send = url.protocol === 'https:' ? requestHttps : requestHttp
  const request = send(url, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) },
    // A connection of its own, which was looked at.
    agent: false,
    signal,
    lookup: mayBePrivate ? lookupBy(resolve, () => true) : lookupBy(resolve, isPublic),
  })
  request.end(body)
  return statusOf(request)
}

function statusOf(request: ClientRequest): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  request.on('response', (response) => {
    resolve(response.statusCode ?? 0)
    // What it says is of no interest, however long it is.
    response.destroy()
  })
  request.on('error', reject)
  return promise
}

const resolveAll: Resolve = (name, answer) => lookup(name, { all: true }, answer)

function lookupBy(resolve: Resolve, isAllowed: (address: string) => boolean): LookupFunction {
  return (name, options, callback) =>
    resolve(name, (error, addresses) => {
      if (error) return callback(error, [])
      const [first, ...others] = addresses.filter(({ address }) => isAllowed(address))
      if (!first) return callback(new Error(refusalOf(addresses[0]?.address ?? name)), [])
      if (options.all) return callback(null, [first, ...others])
      callback(null, first.address, first.family)
    })
}

const refusalOf = (address: string): string =>
  `${address} is no public address. SLUICE_WEBHOOK_PRIVATE=on allows it, where that is meant.`

/** Whether an address is anybody's on the internet. Those of IPv6 that hold one of IPv4 are not looked into: they are not. */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  return parsed.range() === 'unicast' && (parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL))
}

/** What of IPv6 is given to anybody on the internet: the rest is nobody's yet, or an old way to write an address of IPv4. */
const GLOBAL = ipaddr.IPv6.parseCIDR('2000::/3')
