import { hash, randomBytes } from 'node:crypto'
import type { Transaction } from '#server/database/database.ts'
import { readDatabaseTime } from '#server/database/database-time.ts'

/*
 * A one-time link acts for an account without a password. Only its hash is stored, it works once, and for a while. Of the links that
 * administrators hand over, an account has at most one usable one of a purpose: a new one replaces it. Those that are mailed, which
 * anybody may ask for, replace none. Links are made, used and revoked only with the account's row locked, so that of two concurrent
 * uses one succeeds, and none is left by a ban.
 */

/** How long a link works, by what it is for: setting the account's password, signing in to it, or confirming its address. */
const MINUTES = { password: 30, 'sign-in': 30, email: 24 * 60 } as const
const RANDOM_BYTES = 32

export type LinkPurpose = keyof typeof MINUTES

interface NewLink {
  readonly purpose: LinkPurpose
  readonly userId: string
  /** Null for a link that no user has created. */
  readonly createdById: string | null
  /** Whether it is sent to the account's owner. */
  readonly isMailed?: boolean
}

/** A link as it is returned, once. */
export interface CreatedLink {
  readonly link: string
  /** ISO 8601. */
  readonly expiresAt: string
}

const hashLink = (link: string): string => hash('sha256', link)

/** Creates a link of 256 random bits in base64url, and deletes the account's unused ones that it replaces, or that have expired. */
export async function createOneTimeLink(
  tx: Transaction,
  { purpose, userId, createdById, isMailed = false }: NewLink,
): Promise<CreatedLink> {
  const link = randomBytes(RANDOM_BYTES).toString('base64url')
  const createdAt = await readDatabaseTime(tx)
  const expiresAt = new Date(createdAt.getTime() + MINUTES[purpose] * 60_000)
  const replaced = { purpose, isMailed, ...(isMailed && { expiresAt: { lt: createdAt } }) }
  await tx.oneTimeLink.deleteMany({ where: { userId, usedAt: null, ...replaced } })
  const data = { linkHash: hashLink(link), purpose, userId, createdById, isMailed, createdAt, expiresAt }
  await tx.oneTimeLink.create({ data, select: { linkHash: true } })
  return { link, expiresAt: expiresAt.toISOString() }
}

/** Filters for the link if it can be used now: unused, not expired, and not of a banned account. A malformed link matches none. */
export const usableLink = (link: string, purpose: LinkPurpose, now = new Date()) => ({
  linkHash: hashLink(link),
  purpose,
  usedAt: null,
  expiresAt: { gt: now },
  user: { bannedAt: null },
})

/** Uses a link up. Returns whether it was usable. The account's row must be locked. */
export async function spendOneTimeLink(
  tx: Transaction,
  { link, purpose, address }: { readonly link: string; readonly purpose: LinkPurpose; readonly address: string },
): Promise<boolean> {
  const now = await readDatabaseTime(tx)
  const { count } = await tx.oneTimeLink.updateMany({
    where: usableLink(link, purpose, now),
    data: { usedAt: now, usedFrom: address },
  })
  return count > 0
}

/** Deletes the unused links of an account. Used ones stay, for its owner to see. */
export async function revokeLinksFor(tx: Transaction, userId: string): Promise<void> {
  await tx.oneTimeLink.deleteMany({ where: { userId, usedAt: null } })
}

/** Deletes the unused links that were mailed to an account: its owner reads another address from now on. */
export async function revokeMailedLinks(tx: Transaction, userId: string): Promise<void> {
  await tx.oneTimeLink.deleteMany({ where: { userId, isMailed: true, usedAt: null } })
}

/** Deletes the unused links that a user has created. */
export async function revokeLinksFrom(tx: Transaction, createdById: string): Promise<void> {
  await tx.oneTimeLink.deleteMany({ where: { createdById, usedAt: null } })
}
