import { z } from 'zod'
import { invalid } from '#server/errors/invalid.ts'
import { refuse } from '#server/errors/refuse.ts'
import { readIssuer } from '../issuer.ts'
import { secondFactorChecks } from '../provider.ts'

const line = (maximum: number) => z.string().trim().min(1, invalid('missing')).max(maximum)

/** Scopes, separated by spaces (RFC 6749, 3.3), with `openid` among them. */
const scopes = z
  .string()
  .trim()
  .max(500)
  .regex(/^[\x21\x23-\x5b\x5d-\x7e]+(?: +[\x21\x23-\x5b\x5d-\x7e]+)*$/, invalid('scopes'))
  .refine((text) => text.split(/ +/).includes('openid'), invalid('scopes'))

/** What a superadmin enters of a provider, besides its name and its issuer, which stay. */
export const providerShape = {
  clientId: line(500),
  /** A new client secret; null for none. The present one stays if it is left out: it is never shown. */
  clientSecret: z.string().min(1).max(2_000).nullable().optional(),
  scopes,
  label: line(60),
  opensAccounts: z.boolean(),
  linksByEmail: z.boolean(),
  secondFactor: z.enum(secondFactorChecks),
  endsSession: z.boolean(),
  isEnabled: z.boolean(),
}

export const issuerText = z.string().max(500)

/** Returns an issuer that was entered. Throws BAD_REQUEST for what is no address. */
export function requireIssuer(typed: string): URL {
  const issuer = readIssuer(typed)
  if (!issuer) throw refuse('provider-bad-issuer')
  return issuer
}

/** Returns what the audit states of a provider: everything but its secret. */
export const auditedProvider = ({
  name,
  issuer,
  clientId,
  scopes,
  label,
  ...more
}: {
  readonly name: string
  readonly issuer: string
  readonly clientId: string
  readonly scopes: string
  readonly label: string
  readonly opensAccounts: boolean
  readonly linksByEmail: boolean
  readonly secondFactor: string
  readonly endsSession: boolean
  readonly isEnabled: boolean
  readonly sealedSecret: string | null
}) => ({
  ...{ name, issuer, clientId, scopes, label },
  opensAccounts: more.opensAccounts,
  linksByEmail: more.linksByEmail,
  secondFactor: more.secondFactor,
  endsSession: more.endsSession,
  on: more.isEnabled,
  hasSecret: more.sealedSecret !== null,
})
