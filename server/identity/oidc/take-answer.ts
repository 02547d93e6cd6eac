import type { TRPCError } from '@trpc/server'
import {
  AuthorizationResponseError,
  authorizationCodeGrant,
  type Configuration,
  ResponseBodyError,
} from 'openid-client'
import type { Logger } from 'pino'
import { refuse } from '#server/errors/refuse.ts'
import { type Claims, completeClaims, readClaims } from './claims.ts'
import { findReason } from './discovery.ts'
import type { Flow } from './flow.ts'
import type { Provider } from './provider.ts'

/** Who has signed in at a provider. */
export interface Answer {
  readonly claims: Claims
  /** Null if the session there is not to end with the one here. */
  readonly idToken: string | null
}

interface Taking {
  readonly flow: Flow
  /** The callback's address. */
  readonly url: URL
  readonly log: Pick<Logger, 'warn'>
}

/** The longest ID token that is kept for signing out, in characters: it goes there in an address. */
const MAX_ID_TOKEN = 4_000

/**
 * Takes what a provider has answered: state, issuer (RFC 9207), and by the code the ID token with its signature, issuer, audience, nonce,
 * end and, for a proof, its `auth_time`. Throws what a page can say.
 */
export async function takeAnswer(
  configuration: Configuration,
  provider: Provider,
  { flow, url, log }: Taking,
): Promise<Answer> {
  const { state: expectedState, nonce: expectedNonce, verifier: pkceCodeVerifier } = flow
  // The library allows another 30 seconds.
  const sinceBegun = Math.ceil((Date.now() - flow.createdAt.getTime()) / 1_000)
  const maxAge = flow.purpose === 'proof' ? { maxAge: sinceBegun } : {}
  try {
    const checks = { expectedState, expectedNonce, pkceCodeVerifier, idTokenExpected: true, ...maxAge }
    const tokens = await authorizationCodeGrant(configuration, url, checks)
    const token = tokens.claims()
    if (!token) throw refuse('provider-answer-invalid', { provider: provider.label })
    const claims = await completeClaims(configuration, tokens, readClaims(token))
    const { id_token: idToken = '' } = tokens
    const isKept = provider.endsSession && idToken !== '' && idToken.length <= MAX_ID_TOKEN
    return { claims, idToken: isKept ? idToken : null }
  } catch (error) {
    const failure = describeFailure(error, provider)
    log.warn({ provider: provider.name, ...readReason(error) }, 'the answer of a provider was refused')
    throw failure
  }
}

/** The longest code of a provider's error that is shown. */
const SHOWN = 60

function describeFailure(error: unknown, { label: provider }: Provider): TRPCError {
  if (error instanceof AuthorizationResponseError) {
    if (error.error === 'access_denied') return refuse('provider-denied', { provider })
    return refuse('provider-failed', { provider, code: error.error.slice(0, SHOWN) })
  }
  // Such as invalid_client: a wrong client secret.
  if (error instanceof ResponseBodyError)
    return refuse('provider-failed', { provider, code: error.error.slice(0, SHOWN) })
  return findReason(error) ?? refuse('provider-answer-invalid', { provider })
}

/** Returns why, for the owner: the library's words, never what the provider has sent, which holds tokens and claims. */
function readReason(error: unknown): { readonly reason: string; readonly code?: string } {
  if (!(error instanceof Error)) return { reason: 'unknown' }
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : ''
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {}
  return { reason: error.message + cause, ...code }
}
