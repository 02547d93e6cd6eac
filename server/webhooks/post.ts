import { type LookupAddress, lookup } from 'node:dns'
import { type ClientRequest, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { refuse } from '#server/errors/refuse.ts'

/** Resolves a host name; tests bring their own. */
export type Resolve = (name: string, answer: (error: Error | null, addresses: LookupAddress[]) => void) => void

export interface Post {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly signal: AbortSignal
  /** Whether private and loopback addresses are allowed. */
  readonly mayBePrivate: boolean
  readonly resolve?: Resolve
}

/** Posts JSON and returns the status. Follows no redirects and reads no body. The address is checked when connecting,
 *  not before, so that DNS rebinding cannot lead elsewhere. Rejects without a response; the message is for whoever
 *  configured the URL. */
export async function post({ url, headers, body, signal, mayBePrivate, resolve = resolveAll }: Post): Promise<number> {
  const host = hostOf(url)
  if (!mayBePrivate && ipaddr.isValid(host) && !isPublic(host)) throw refuseHost(host)
  const send = url.protocol === 'https:' ? requestHttps : requestHttp
  const request = send(url, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) },
    // A fresh connection, so that its address is the one checked.
    agent: false,
    signal,
    lookup: createLookup(resolve, mayBePrivate ? () => true : isPublic, refuseHost),
  })
  request.end(body)
  return readStatus(request)
}

const refuseHost = (address: string) => refuse('webhook-private', { address })

function readStatus(request: ClientRequest): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  request.on('response', (response) => {
    resolve(response.statusCode ?? 0)
    // The body is not needed, and may be long.
    response.destroy()
  })
  request.on('error', reject)
  return promise
}

export const resolveAll: Resolve = (name, answer) => lookup(name, { all: true }, answer)

/** Returns a lookup for Node's requests that answers with allowed addresses alone, so that no other is connected to. */
export function createLookup(
  resolve: Resolve,
  isAllowed: (address: string) => boolean,
  refused: (address: string) => Error,
): LookupFunction {
  return (name, options, callback) =>
    resolve(name, (error, addresses) => {
      if (error) return callback(error, [])
      const [first, ...others] = addresses.filter(({ address }) => isAllowed(address))
      if (!first) return callback(refused(addresses[0]?.address ?? name), [])
      if (options.all) return callback(null, [first, ...others])
      callback(null, first.address, first.family)
    })
}

/** Returns the address at which a URL would be refused because it is not public; null if it may be used, or its name does
 *  not resolve now. */
export async function findPrivateTarget(url: URL, resolve: Resolve = resolveAll): Promise<string | null> {
  const host = hostOf(url)
  if (ipaddr.isValid(host)) return isPublic(host) ? null : host
  const found = await new Promise<LookupAddress[]>((done) =>
    resolve(host, (error, addresses) => done(error ? [] : addresses)),
  )
  return found.some(({ address }) => isPublic(address)) ? null : (found[0]?.address ?? null)
}

export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '')

/** Whether an address is public. IPv6 addresses that embed an IPv4 address count as not public. */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  return parsed.range() === 'unicast' && (parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL))
}

/** The allocated part of global IPv6. The rest is unassigned or an old notation for IPv4. */
const GLOBAL = ipaddr.IPv6.parseCIDR('2000::/3')
