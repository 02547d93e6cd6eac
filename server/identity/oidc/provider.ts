import { z } from 'zod'
import type { PrismaClient, Transaction } from '#server/database/database.ts'
import { invalid } from '#server/errors/invalid.ts'
import { refuse } from '#server/errors/refuse.ts'
import { openSecret, sealSecret } from '../seal.ts'

/** What a provider's sign-ins mean for the second factor of the site: it is asked for here; not if the provider's answer claims to have
 *  checked one (`amr`, `acr`); never, because the provider always checks one. */
export const secondFactorChecks = ['here', 'claimed', 'there'] as const
export type SecondFactorCheck = (typeof secondFactorChecks)[number]

/** The columns that the sign-in uses. */
export const providerColumns = {
  name: true,
  issuer: true,
  clientId: true,
  sealedSecret: true,
  scopes: true,
  label: true,
  opensAccounts: true,
  linksByEmail: true,
  secondFactor: true,
  endsSession: true,
} as const

/** A provider as the sign-in uses it. */
export interface Provider {
  readonly name: string
  readonly issuer: string
  readonly clientId: string
  readonly sealedSecret: string | null
  readonly scopes: string
  readonly label: string
  readonly opensAccounts: boolean
  readonly linksByEmail: boolean
  readonly secondFactor: string
  readonly endsSession: boolean
}

interface Site {
  readonly secret: string
}

const about = (name: string): string => `oidc/${name}`

export const sealClientSecret = (site: Site, name: string, clientSecret: string): string =>
  sealSecret(site, clientSecret, about(name))

/** Returns whether the provider's client secret was sealed with another SLUICE_SECRET. */
export const hasEnded = (site: Site, { name, sealedSecret }: Pick<Provider, 'name' | 'sealedSecret'>): boolean =>
  sealedSecret !== null && openSecret(site, sealedSecret, about(name)) === null

/** Returns the client secret; null for a client without one. Throws `provider-ended` if it was sealed with another SLUICE_SECRET. */
export function openClientSecret(site: Site, { name, label, sealedSecret }: Provider): string | null {
  if (sealedSecret === null) return null
  const opened = openSecret(site, sealedSecret, about(name))
  if (opened === null) throw refuse('provider-ended', { provider: label })
  return opened
}

/** Returns the enabled provider of a name. Throws NOT_FOUND. */
export async function findProvider(db: PrismaClient | Transaction, name: string): Promise<Provider> {
  const provider = await db.oidcProvider.findUnique({ where: { name, isEnabled: true }, select: providerColumns })
  if (!provider) throw refuse('provider-not-found')
  return provider
}

/** A provider's button. */
export interface ProviderButton {
  readonly name: string
  readonly label: string
}

/** Returns the providers that people can sign in by, in order. Asks none of them anything. */
export function listButtons(db: PrismaClient | Transaction): Promise<readonly ProviderButton[]> {
  return db.oidcProvider.findMany({
    where: { isEnabled: true },
    orderBy: [{ position: 'asc' }, { name: 'asc' }],
    select: { name: true, label: true },
  })
}

/** Returns the address to which a provider sends browsers back. Registered there, so it never depends on a request. */
export const callbackUrl = ({ origin }: { readonly origin: string }, name: string): string =>
  `${origin}/api/auth/oidc/${name}/callback`

export const providerName = z.string().regex(/^[a-z0-9][a-z0-9-]{0,31}$/, invalid('providerName'))
