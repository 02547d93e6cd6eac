import { makeToken } from '#server/accounts/tokens/api-token.ts'
import type { Scope } from '#server/accounts/viewer.ts'
import type { SignedIn, TestApp } from '../sluice/sluice-app.ts'

export interface TestToken {
  readonly id: string
  readonly token: string
  /** The token as sent in a request. */
  readonly headers: { readonly authorization: string; readonly 'user-agent': string }
}

/** Inserts a token of an account, as token.create does. */
export async function insertToken(
  { app }: TestApp,
  { viewer }: SignedIn,
  scopes: readonly Scope[],
  more: { readonly name?: string; readonly expiresAt?: Date } = {},
): Promise<TestToken> {
  const { token, ...kept } = makeToken()
  const data = { name: 'a program', ...kept, ...more, scopes: [...scopes], userId: viewer.userId }
  const { id } = await app.db.apiToken.create({ data, select: { id: true } })
  return { id, token, headers: { authorization: `Bearer ${token}`, 'user-agent': 'ShareX/17' } }
}
