import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { NO_PASSWORD } from '#server/accounts/passwords.ts'
import type { PrismaClient, Transaction } from '#server/database/database.ts'
import { transact } from '#server/database/transact.ts'
import type { ErrorCode } from '#server/errors/codes.ts'
import { refuse } from '#server/errors/refuse.ts'
import { networkOf } from '#server/limits/subject.ts'
import { Prisma } from '../../generated/prisma/client.ts'

/*
 * Each upload of a guest has an account of its own, which owns the image and which nobody can sign in to: `User.guestUntil` is set. So two guests
 * with the same file share no row, no address and no deletion link, and everything that is counted, read or removed by owner works as for
 * any other.
 *
 * The account is created before the body is accepted. Its quota is its part of the guests' budget: the declared length at first, then
 * the image's size. It ends, with its image, at `guestUntil`; until the image is stored that is soon, so that a killed process leaves
 * nothing for long. A network has a twentieth of the budget, so that no visitor alone can use it up.
 */

/** Arbitrary, but the same in every process: 'guests' in ASCII. */
const ADVISORY_LOCK = 0x677565737473

/** How long a file may take to be received and stored. */
const RECEIVING_MS = 60 * 60 * 1_000

const DAY_MS = 24 * 60 * 60 * 1_000

/** How many networks it takes to use up the guests' budget, as of every limit that strangers share. */
const NETWORKS = 20

/** What guests together may have stored. */
export interface GuestBudget {
  readonly images: number
  readonly bytes: number
}

interface Asked {
  /** The declared length, or the image's size. */
  readonly size: number
  readonly budget: GuestBudget
  /** Of the largest file, which a network's part of the budget always has room for. */
  readonly maxUploadBytes: number
  /** The client address, as limits count it; for admins who decide about the image. */
  readonly address: string
}

type NoRoom = Extract<ErrorCode, 'guest-budget' | 'guest-budget-of-network'>

const taken = z
  .object({ images: z.int(), bytes: z.bigint() })
  .transform(({ images, bytes }) => ({ images, bytes: Number(bytes) }))
const sums = z.tuple([taken])

/** Returns why there is no room beside all accounts of guests but one. Calls are serialized until the transaction ends. */
async function findNoRoom(tx: Transaction, id: string | null, asked: Asked): Promise<NoRoom | null> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(${ADVISORY_LOCK})`
  const { size, budget, maxUploadBytes, address } = asked
  const exceeds = async (where: Prisma.Sql, { images, bytes }: GuestBudget) => {
    const [others] = sums.parse(
      await tx.$queryRaw`
        SELECT count(*)::int AS "images", COALESCE(sum("quotaBytes"), 0)::bigint AS "bytes" FROM "User"
        WHERE "guestUntil" IS NOT NULL AND "id" IS DISTINCT FROM ${id}::uuid AND ${where}`,
    )
    return others.images >= images || others.bytes + size > bytes
  }
  if (await exceeds(Prisma.sql`true`, budget)) return 'guest-budget'
  const part = {
    images: Math.ceil(budget.images / NETWORKS),
    bytes: Math.max(Math.ceil(budget.bytes / NETWORKS), maxUploadBytes),
  }
  const network = networkOf({ address, userId: null, shared: false })
  const isNear = Prisma.sql`"guestAddress"::inet <<= ${network}::inet`
  return (await exceeds(isNear, part)) ? 'guest-budget-of-network' : null
}

/** Creates the account of an upload, and returns its ID. Refuses if the budget, or its network's part of it, is spent. */
export function openGuestAccount(db: PrismaClient, asked: Asked): Promise<string> {
  return transact(db, async (tx) => {
    const noRoom = await findNoRoom(tx, null, asked)
    if (noRoom) throw refuse(noRoom)
    const id = randomUUID()
    const names = { username: 'Guest', usernameKey: `guest:${id}` }
    const data = {
      ...{ id, ...names, quotaBytes: asked.size, guestAddress: asked.address },
      passwordHash: NO_PASSWORD,
      guestUntil: new Date(Date.now() + RECEIVING_MS),
    }
    await tx.user.create({ data, select: { id: true } })
    return id
  })
}

/** Reserves the size that the image has after cleaning. Refuses if there is no room for it, or the account has ended. */
export function resizeGuestAccount(db: PrismaClient, id: string, asked: Asked): Promise<void> {
  return transact(db, async (tx) => {
    const noRoom = await findNoRoom(tx, id, asked)
    if (noRoom) throw refuse(noRoom)
    const { count } = await tx.user.updateMany({
      where: { id, guestUntil: { not: null } },
      data: { quotaBytes: asked.size },
    })
    if (count === 0) throw refuse('owner-gone')
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
