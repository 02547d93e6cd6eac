import { TRPCError } from '@trpc/server'
import {
  allowInsecureRequests,
  ClientError,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  type CustomFetch,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  None,
  type ServerMetadata,
} from 'openid-client'
import { refuse } from '#server/errors/refuse.ts'
import type { Resolve } from '#server/webhooks/post.ts'
import { isLoopback } from './issuer.ts'
import { openClientSecret, type Provider } from './provider.ts'
import { createProviderFetch } from './provider-fetch.ts'

/** How long what an issuer says of itself is used. */
const KEPT_MS = 10 * 60_000

/** How long one answer of a provider is waited for. */
const DEADLINE_MS = 5_000

interface Options {
  readonly site: { readonly secret: string }
  /** For tests. */
  readonly deadlineMs?: number
  readonly resolve?: Resolve
}

interface Kept {
  readonly metadata: Promise<ServerMetadata>
  readonly until: number
}

/** Reads what issuers say of themselves, and keeps it for ten minutes in this process. */
export class Discoveries {
  readonly #options: Options
  readonly #kept = new Map<string, Kept>()

  constructor(options: Options) {
    this.#options = options
  }

  /** Returns an issuer's metadata, read now. Throws what is wrong with it, for whoever sets it up. */
  async read(issuer: URL): Promise<ServerMetadata> {
    if (issuer.protocol === 'http:' && !isLoopback(issuer)) throw refuse('provider-insecure')
    const options = { [customFetch]: this.#fetch(issuer), execute: executed(issuer) }
    const configuration = await discovery(issuer, 'sluice', undefined, None(), options).catch((error: unknown) => {
      throw describeDiscovery(error)
    })
    const metadata = { ...configuration.serverMetadata() }
    checkMetadata(issuer, metadata)
    return metadata
  }

  /** Returns the client of a provider, for one sign-in: it reads the provider's keys anew, so that a rotated key is found and an ended
   *  one is refused. Throws if the provider cannot be reached, or its client secret has ended. */
  async open(provider: Provider): Promise<Configuration> {
    const secret = openClientSecret(this.#options.site, provider)
    const issuer = new URL(provider.issuer)
    const metadata = await this.#metadata(issuer)
    const opened = new Configuration(metadata, provider.clientId, undefined, chooseAuthentication(metadata, secret))
    opened[customFetch] = this.#fetch(issuer)
    for (const extend of executed(issuer)) extend(opened)
    enableNonRepudiationChecks(opened)
    return opened
  }

  #fetch(issuer: URL): CustomFetch {
    const { deadlineMs = DEADLINE_MS, resolve } = this.#options
    return createProviderFetch({ issuer, deadlineMs, ...(resolve && { resolve }) })
  }

  #metadata(issuer: URL): Promise<ServerMetadata> {
    const kept = this.#kept.get(issuer.href)
    if (kept && kept.until > Date.now()) return kept.metadata
    const metadata = this.read(issuer)
    this.#kept.set(issuer.href, { metadata, until: Date.now() + KEPT_MS })
    metadata.catch(() => this.#kept.delete(issuer.href))
    return metadata
  }
}

/** Plain HTTP is for providers on this machine: tests, and those behind the same proxy. */
const executed = (issuer: URL) => (issuer.protocol === 'http:' ? [allowInsecureRequests] : [])

function chooseAuthentication(
  { token_endpoint_auth_methods_supported: supported }: ServerMetadata,
  secret: string | null,
) {
  if (secret === null) return None()
  const takesBasic = supported === undefined || supported.includes('client_secret_basic')
  return takesBasic ? ClientSecretBasic(secret) : ClientSecretPost(secret)
}

/** Throws if people cannot sign in by what the issuer says of itself. */
function checkMetadata(issuer: URL, metadata: ServerMetadata): void {
  if (new URL(metadata.issuer).href !== issuer.href) throw refuse('provider-other-issuer', { issuer: metadata.issuer })
  const { response_types_supported: types, authorization_endpoint, token_endpoint, jwks_uri } = metadata
  const hasCode = types === undefined || types.includes('code')
  if (!hasCode || !authorization_endpoint || !token_endpoint) throw refuse('provider-without-code')
  const { id_token_signing_alg_values_supported: algorithms = ['RS256'] } = metadata
  if (!jwks_uri || !algorithms.some((name) => /^(RS|PS|ES|Ed)/.test(name))) throw refuse('provider-without-keys')
  for (const address of [authorization_endpoint, metadata.end_session_endpoint]) {
    const url = address === undefined ? issuer : new URL(address)
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url))) throw refuse('provider-insecure')
  }
}

/** Returns an error of discovery as what is wrong with the issuer. */
function describeDiscovery(error: unknown): TRPCError {
  const named = error instanceof ClientError ? readNamedIssuer(error.cause) : null
  if (named !== null) return refuse('provider-other-issuer', { issuer: named })
  return findReason(error) ?? refuse('provider-no-discovery')
}

/** Returns the issuer that a document of another one names. */
function readNamedIssuer(cause: unknown): string | null {
  const { body } = cause instanceof Object && 'body' in cause ? cause : { body: null }
  return body instanceof Object && 'issuer' in body ? String(body.issuer).slice(0, 300) : null
}

/** Codes of Node's errors for connections and certificates. */
const NETWORK = /^(E[A-Z]{4}|CERT_|DEPTH_ZERO|UNABLE_TO|SELF_SIGNED|ERR_TLS|ERR_SSL)/

/** Returns the refusal, or the failed connection, behind an error of openid-client; null for anything else. */
export function findReason(error: unknown): TRPCError | null {
  for (let each = error; each instanceof Error; each = each.cause) {
    if (each instanceof TRPCError) return each
    if ('code' in each && typeof each.code === 'string' && NETWORK.test(each.code))
      return refuse('provider-unreachable')
  }
  return null
}
