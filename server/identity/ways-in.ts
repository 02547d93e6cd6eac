import { NO_PASSWORD } from '#server/accounts/passwords.ts'
import type { Transaction } from '#server/database/database.ts'
import type { Services } from '#server/services.ts'
import { rpIdOf } from './passkeys/relying-party.ts'

/** Returns whether an account can be signed in to: by its password where passwords are on, by a passkey of the site's address, or by an
 *  identity at a provider that is enabled. */
export async function hasWayIn(
  tx: Transaction,
  { config, site }: Pick<Services, 'config' | 'site'>,
  userId: string,
  { passwords, secondFactor } = site.read(),
): Promise<boolean> {
  const withPassword = { id: userId, passwordHash: { not: NO_PASSWORD } }
  if (passwords && (await tx.user.count({ where: withPassword })) > 0) return true
  const passkeys = { userId, rpId: rpIdOf(config) }
  if (secondFactor !== 'off' && (await tx.passkey.count({ where: passkeys })) > 0) return true
  const enabled = await tx.oidcProvider.findMany({ where: { isEnabled: true }, select: { issuer: true } })
  const issuer = { in: enabled.map((each) => each.issuer) }
  return (await tx.linkedIdentity.count({ where: { userId, issuer } })) > 0
}
