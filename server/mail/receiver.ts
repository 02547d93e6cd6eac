import { type Locale, toLocale } from '#format/locale.ts'
import { parseEmail } from '#server/accounts/email/address.ts'
import type { PrismaClient, Transaction } from '#server/database/database.ts'

/** An account whose owner can be written to. */
export interface Receiver {
  readonly userId: string
  readonly username: string
  readonly email: string
  /** The language that they have chosen; null for the site's. */
  readonly locale: Locale | null
  readonly wantsShareMails: boolean
}

/** Accounts that get mail have confirmed their address. Shared and banned ones, and those of guests' uploads, get none. */
export const receiving = { emailVerifiedAt: { not: null }, bannedAt: null, shared: false, guestUntil: null } as const

/** Returns whom an ID, a name or a confirmed address belongs to; null for nobody who gets mail. */
export async function findReceiver(
  db: PrismaClient | Transaction,
  where: { readonly id: string } | { readonly usernameKey: string } | { readonly emailKey: string },
): Promise<Receiver | null> {
  const select = { id: true, username: true, email: true, locale: true, wantsShareMails: true }
  const user = await db.user.findUnique({ where: { ...where, ...receiving }, select })
  // Another part of the server may have written it, from what a provider says.
  if (!user?.email || !parseEmail(user.email)) return null
  const { id: userId, username, email, locale, wantsShareMails } = user
  return { userId, username, email, locale: toLocale(locale), wantsShareMails }
}
