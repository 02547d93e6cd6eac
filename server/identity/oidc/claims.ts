import { type Configuration, fetchUserInfo, type IDToken, type TokenEndpointResponse } from 'openid-client'
import { z } from 'zod'
import { usernameSchema } from '#server/accounts/credentials.ts'
import { type EmailAddress, parseEmail } from '#server/accounts/email/address.ts'
import type { Provider } from './provider.ts'

const text = z.string().max(320).optional().catch(undefined)

/** What a provider says of who has signed in. What is no text of a usual length is as if it were missing. */
const claimsSchema = z.object({
  sub: z.string().min(1).max(255),
  email: text,
  /** Some providers write it as a text, which is not taken for a claim. */
  email_verified: z.boolean().optional().catch(undefined),
  preferred_username: text,
  nickname: text,
  name: text,
  amr: z.array(z.string()).optional().catch(undefined),
  acr: text,
})

export type Claims = z.infer<typeof claimsSchema>

export const readClaims = (token: IDToken): Claims => claimsSchema.parse(token)

/** Returns the claims with those of the provider's UserInfo, where an ID token has none but the subject. One of another subject is
 *  refused by the library. */
export async function completeClaims(
  configuration: Configuration,
  { access_token }: TokenEndpointResponse,
  claims: Claims,
): Promise<Claims> {
  const isComplete = claims.email !== undefined && claims.preferred_username !== undefined
  if (isComplete || !configuration.serverMetadata().userinfo_endpoint) return claims
  const { sub, ...more } = claimsSchema.parse(await fetchUserInfo(configuration, access_token, claims.sub))
  const known = Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined))
  return { ...more, ...known, sub }
}

/** Returns whether the provider has checked a second factor, as far as the owner believes it: a method `mfa` (RFC 8176), or a
 *  phishing-resistant authentication (`phr`, `phrh`). */
export function hasCheckedFactor({ secondFactor }: Pick<Provider, 'secondFactor'>, { amr, acr }: Claims): boolean {
  if (secondFactor === 'there') return true
  return secondFactor === 'claimed' && (amr?.includes('mfa') === true || acr === 'phr' || acr === 'phrh')
}

/** Returns the address that the provider has verified; null for none. */
export const verifiedEmail = ({ email, email_verified }: Claims): EmailAddress | null =>
  email !== undefined && email_verified === true ? parseEmail(email) : null

const MAX_NAME = 32

/** Returns user names for a new account, the best first: what the provider calls them, made valid, and then with a number. */
export function proposeUsernames(claims: Claims): readonly string[] {
  const { preferred_username, nickname, email, name } = claims
  const given = [preferred_username, nickname, email, name].flatMap((each) => each ?? []).map(toUsername)
  const [best = 'user'] = given.filter((each) => usernameSchema.safeParse(each).success)
  const numbered = Array.from({ length: 8 }, (_, index) => {
    const end = index < 4 ? `${index + 2}` : crypto.randomUUID().slice(0, 8)
    return `${best.slice(0, MAX_NAME - 1 - end.length)}-${end}`
  })
  return [best, ...numbered]
}

/** An address names its owner before the sign. Letters with marks lose them; others are left out. */
const toUsername = (given: string): string =>
  (given.split('@', 1)[0] ?? '')
    .normalize('NFKD')
    .replaceAll(/\s+/g, '.')
    .replaceAll(/[^A-Za-z0-9._-]/g, '')
    .replace(/^[._-]+/, '')
    .slice(0, MAX_NAME)
