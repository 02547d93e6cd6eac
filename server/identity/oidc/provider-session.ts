import { buildEndSessionUrl } from 'openid-client'
import type { Services } from '#server/services.ts'
import { openSecret, sealSecret } from '../seal.ts'
import { providerColumns } from './provider.ts'

/** What a session keeps of the provider that it was opened by. */
export interface ProviderSession {
  /** The provider's name. */
  readonly name: string
  readonly sealedIdToken: string | null
  /** Whether the provider has checked a second factor. */
  readonly hasFactor: boolean
}

interface Site {
  readonly secret: string
}

const about = (name: string): string => `id-token/${name}`

export const sealIdToken = (site: Site, name: string, idToken: string): string => sealSecret(site, idToken, about(name))

/** How long signing out waits for what a provider says of itself, if that is not known. */
const PATIENCE_MS = 2_000

/**
 * Returns the provider's address that ends the session there (OpenID Connect RP-Initiated Logout 1.0) and leads back to this site; null
 * if the session was not opened by one, the owner does not want it, or the provider cannot do it now: signing out here never waits for
 * another server for long.
 */
export async function findProviderLogout(
  { db, config, discoveries, log }: Services,
  sessionId: string,
): Promise<string | null> {
  const session = await db.session.findUnique({
    where: { id: sessionId },
    select: { provider: true, sealedIdToken: true },
  })
  const { provider: name, sealedIdToken } = session ?? {}
  if (!name || !sealedIdToken) return null
  const idToken = openSecret(config, sealedIdToken, about(name))
  const where = { name, isEnabled: true, endsSession: true }
  const provider = idToken === null ? null : await db.oidcProvider.findUnique({ where, select: providerColumns })
  if (idToken === null || !provider) return null
  const late = new Promise<null>((resolve) => setTimeout(resolve, PATIENCE_MS, null).unref())
  const opened = discoveries.open(provider).catch((err: unknown) => {
    log.warn({ err, provider: name }, 'the provider was not told of a sign-out')
    return null
  })
  const configuration = await Promise.race([opened, late])
  if (!configuration?.serverMetadata().end_session_endpoint) return null
  const back = { id_token_hint: idToken, post_logout_redirect_uri: `${config.origin}/signin` }
  return buildEndSessionUrl(configuration, back).href
}
