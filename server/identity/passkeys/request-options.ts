import type { PrismaClient } from '#server/database/database.ts'
import { rpIdOf } from './relying-party.ts'

/*
 * What a browser is asked for, in the words of WebAuthn (PublicKeyCredentialRequestOptionsJSON). Every sign-in page asks for it, so it
 * is made without the library.
 */

interface Site {
  readonly origin: string
}

/** Milliseconds that a browser leaves its user: as long as the challenge. */
export const TIMEOUT_MS = 10 * 60_000

/** Returns what a browser asks any passkey of this site for. It is the same for everybody, so it tells nothing about accounts. */
export const askAnyPasskey = (site: Site, challenge: string) => ({
  rpId: rpIdOf(site),
  challenge,
  userVerification: 'required' as const,
  timeout: TIMEOUT_MS,
})

/** Returns what a browser asks the account's passkeys for; null if none works at this origin. Only for whoever has proven to know the
 *  account: it names its passkeys. */
export async function askPasskeysOf(
  { db, config }: { readonly db: PrismaClient; readonly config: Site },
  userId: string,
  challenge: string,
) {
  const passkeys = await db.passkey.findMany({
    where: { userId, rpId: rpIdOf(config) },
    select: { credentialId: true, transports: true },
  })
  if (passkeys.length === 0) return null
  const type = 'public-key' as const
  const allowCredentials = passkeys.map(({ credentialId: id, transports }) => ({ id, type, transports }))
  return { ...askAnyPasskey(config, challenge), allowCredentials }
}
