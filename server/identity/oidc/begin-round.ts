import {
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client'
import type { Services } from '#server/services.ts'
import { createFlow, type FlowPurpose } from './flow.ts'
import { callbackUrl, findProvider } from './provider.ts'

interface Beginning {
  readonly providerName: string
  readonly purpose: FlowPurpose
  /** The path to return to. */
  readonly next: string
  readonly inviteHash: string | null
  /** The session that a link or a proof is of. */
  readonly sessionId: string | null
  readonly address: string
}

export interface Round {
  /** The provider's address, for the browser to go to. */
  readonly location: string
  /** The Set-Cookie header that binds the round to the browser. */
  readonly cookie: string
}

/** Asks a provider again who its user is, even if they are signed in there. */
const AGAIN = { prompt: 'login', max_age: '0' }

/** Begins a sign-in, a link or a proof by a provider: the authorization code flow with PKCE (RFC 7636), state and nonce. Throws if there is
 *  no such provider, or it cannot be reached. */
export async function beginRound(app: Services, { providerName, ...begun }: Beginning): Promise<Round> {
  const provider = await findProvider(app.db, providerName)
  const configuration = await app.discoveries.open(provider)
  const [state, nonce, verifier] = [randomState(), randomNonce(), randomPKCECodeVerifier()]
  const url = buildAuthorizationUrl(configuration, {
    redirect_uri: callbackUrl(app.config, provider.name),
    scope: provider.scopes,
    state,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(begun.purpose === 'proof' && AGAIN),
  })
  const cookie = await createFlow(app, { providerName: provider.name, state, nonce, verifier, ...begun })
  return { location: url.href, cookie }
}
