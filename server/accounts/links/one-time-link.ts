import { hash, randomBytes } from 'node:crypto'
import type { Transaction } from '#server/database/database.ts'
import { readDatabaseTime } from '#server/database/database-time.ts'

/*
 * A one-time link acts for an account without a password. Only its hash is stored, it works once, and for half an hour. An account
 * has at most one usable link of a purpose: a new one replaces it. Links are made, used and revoked only with the account's row
 * locked, so that of two concurrent uses one succeeds, and none is left by a ban.
 */

const MINUTES = 30
const RANDOM_BYTES = 32

/** `password`: sets the account's password. */
export type LinkPurpose = 'password'

interface NewLink {
  readonly purpose: LinkPurpose
  readonly userId: string
  /** Null for a link that no user has created. */
  readonly createdById: string | null
}

/** A link as it is returned, once. */
export interface CreatedLink {
  readonly link: string
  /** ISO 8601. */
  readonly expiresAt: string
}

const hashLink = (link: string): string => hash('sha256', link)

/** Creates a link of 256 random bits in base64url, and deletes the account's unused ones of the same purpose. */
export async function createOneTimeLink(
  tx: Transaction,
  { purpose, userId, createdById }: NewLink,
): Promise<CreatedLink> {
  const link = randomBytes(RANDOM_BYTES).toString('base64url')
  const createdAt = await readDatabaseTime(tx)
  const expiresAt = new Date(createdAt.getTime() + MINUTES * 60_000)
  await tx.oneTimeLink.deleteMany({ where: { purpose, userId, usedAt: null } })
  const data = { linkHash: hashLink(link), purpose, userId, createdById, createdAt, expiresAt }
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

/** Deletes the unused links that a user has created. */
export async function revokeLinksFrom(tx: Transaction, createdById: string): Promise<void> {
  await tx.oneTimeLink.deleteMany({ where: { createdById, usedAt: null } })
}
