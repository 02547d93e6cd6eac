import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { NO_PASSWORD } from '#server/accounts/passwords.ts'
import type { PrismaClient, Transaction } from '#server/database/database.ts'
import { transact } from '#server/database/transact.ts'

/*
 * Each upload of a guest has an account of its own, which owns the image and which nobody can sign in to: `User.guestUntil` is set. So two guests
 * with the same file share no row, no address and no deletion link, and everything that is counted, read or removed by owner works as for
 * any other.
 *
 * The account is created before the body is accepted. Its quota is its part of the guests' budget: the declared length at first, then
 * the image's size. It ends, with its image, at `guestUntil`; until the image is stored that is soon, so that a killed process leaves
 * nothing for long.
 */

/** Arbitrary, but the same in every process: 'guests' in ASCII. */
const ADVISORY_LOCK = 0x677565737473

/** How long a file may take to be received and stored. */
const RECEIVING_MS = 60 * 60 * 1_000

const DAY_MS = 24 * 60 * 60 * 1_000

/** What guests together may have stored. */
export interface GuestBudget {
  readonly images: number
  readonly bytes: number
}

const sums = z.tuple([z.object({ images: z.int(), bytes: z.bigint() })])

/** Returns what the accounts of guests take, without one of them. Calls are serialized until the transaction ends. */
async function countOthers(tx: Transaction, id: string | null): Promise<GuestBudget> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(${ADVISORY_LOCK})`
  const rows = await tx.$queryRaw`
    SELECT count(*)::int AS "images", COALESCE(sum("quotaBytes"), 0)::bigint AS "bytes" FROM "User"
    WHERE "guestUntil" IS NOT NULL AND "id" IS DISTINCT FROM ${id}::uuid`
  const [{ images, bytes }] = sums.parse(rows)
  return { images, bytes: Number(bytes) }
}

const fits = (others: GuestBudget, size: number, budget: GuestBudget): boolean =>
  others.images < budget.images && others.bytes + size <= budget.bytes

interface Asked {
  /** The declared length. */
  readonly size: number
  readonly budget: GuestBudget
  /** The client address, for admins who decide about the image. */
  readonly address: string
}

/** Creates the account of an upload. Returns its ID; null if the budget is spent. */
export function openGuestAccount(db: PrismaClient, { size, budget, address }: Asked): Promise<string | null> {
  return transact(db, async (tx) => {
    if (!fits(await countOthers(tx, null), size, budget)) return null
    const id = randomUUID()
    const names = { username: 'Guest', usernameKey: `guest:${id}` }
    const data = {
      ...{ id, ...names, quotaBytes: size, guestAddress: address },
      passwordHash: NO_PASSWORD,
      guestUntil: new Date(Date.now() + RECEIVING_MS),
    }
    await tx.user.create({ data, select: { id: true } })
    return id
  })
}

/** Reserves the size that the image has after cleaning. Returns false if the budget has no room for it, or the account has ended. */
export function resizeGuestAccount(
  db: PrismaClient,
  id: string,
  { size, budget }: Pick<Asked, 'size' | 'budget'>,
): Promise<boolean> {
  return transact(db, async (tx) => {
    if (!fits(await countOthers(tx, id), size, budget)) return false
    const { count } = await tx.user.updateMany({
      where: { id, guestUntil: { not: null } },
      data: { quotaBytes: size },
    })
    return count > 0
  })
}

/** Keeps the account of a stored image for some days. Returns until when; null if it has ended. */
export async function keepGuestAccount(tx: Transaction, id: string, days: number): Promise<Date | null> {
  const guestUntil = new Date(Date.now() + days * DAY_MS)
  const { count } = await tx.user.updateMany({ where: { id, guestUntil: { not: null } }, data: { guestUntil } })
  return count > 0 ? guestUntil : null
}

/** Deletes the account of an upload that was not stored. What fails here is left to the job. */
export async function dropGuestAccount(db: PrismaClient, id: string): Promise<void> {
  await db.user.deleteMany({ where: { id, guestUntil: { not: null }, images: { none: {} } } })
}
