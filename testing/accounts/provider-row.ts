import type { PrismaClient } from '#server/database/database.ts'

/** What is entered of a provider, besides its name and its issuer. */
export const providerSettings = {
  ...{ clientId: 'a', scopes: 'openid', label: 'A' },
  secondFactor: 'here',
  ...{ opensAccounts: false, linksByEmail: false, endsSession: true, isEnabled: true },
} as const

/** Adds a provider that nobody answers for, and returns its name. */
export async function insertProvider(db: PrismaClient, name = `p${crypto.randomUUID().slice(0, 8)}`): Promise<string> {
  const data = { ...providerSettings, name, issuer: `https://${name}.example.org`, position: 9 }
  await db.oidcProvider.create({ data, select: { name: true } })
  return name
}
