import { z } from 'zod'
import { CLEANING_VERSION } from '#server/cleaning/cleaning.ts'
import type { PrismaClient, Transaction } from '#server/database/database.ts'
import { transact } from '#server/database/transact.ts'
import { Prisma } from '../../../generated/prisma/client.ts'
import type { ObjectState } from '../../../generated/prisma/enums.ts'
import { isPaused } from './removal-pause.ts'
import type { StoredVariant } from './stored-variants.ts'

/*
 * Bytes are transferred outside transactions, so their protection is stored in the object's row, where a lost connection does
 * not undo it: an upload holds the object while it stores bytes, a removal claims it while it deletes them. Invariant: no claim
 * begins during a hold, and no hold during a claim. Both expire by the database's clock, because a process may die.
 *
 * Rows are locked in one order everywhere: objects by hash, then users. A transaction that has locked a user locks no object.
 */

/** Milliseconds in which an upload must store an image's bytes; after that it has to start again. */
export const HOLD_MS = 15 * 60_000
/** Milliseconds of a claim: a third for the deletes of a removal, and two thirds for requests in flight to settle. */
const CLAIM_MS = 60_000

/** The description of an object's bytes in its row. */
export interface ObjectFacts {
  readonly frames: number
  /** ThumbHash in base64. */
  readonly placeholder: string
  readonly variants: readonly StoredVariant[]
  /** Larger variants follow, for which `variantsReserved` bytes are reserved. */
  readonly variantsDue: boolean
  readonly variantsReserved: number
}

const lockedRow = z.tuple([
  z.object({
    state: z.enum(['live', 'deleting']),
    isClaimed: z.boolean(),
    isHeld: z.boolean(),
    isNew: z.boolean(),
    frames: z.int(),
    placeholder: z.string().nullable(),
    variants: z.json(),
    variantsDue: z.boolean(),
    variantsReserved: z.int(),
  }),
])
type LockedRow = z.infer<typeof lockedRow>[0]

export interface LockedObject
  extends Pick<LockedRow, 'frames' | 'placeholder' | 'variants' | 'variantsDue' | 'variantsReserved'> {
  /** The row is `live`, so the bytes exist. */
  readonly state: ObjectState
  /** A removal has claimed the object. */
  readonly isClaimed: boolean
  /** The caller's hold has not expired. */
  readonly isHeld: boolean
  /** There was no row. */
  readonly isNew: boolean
}

/**
 * Locks an object's row until the transaction ends. If there is none, inserts it as `deleting`, because its bytes are
 * not guaranteed to exist. One statement, so that no deletion can happen in between.
 */
export async function lockObject(
  tx: Transaction,
  { sha256, size }: { sha256: string; size: number },
  heldUntil: Date | null = null,
): Promise<LockedObject> {
  const rows = await tx.$queryRaw`
    INSERT INTO "StoredObject" ("sha256", "size", "state") VALUES (${sha256}, ${size}, 'deleting')
    ON CONFLICT ("sha256") DO UPDATE SET "size" = EXCLUDED."size"
    RETURNING "state"::text, "frames", "placeholder", "variants", "variantsDue", "variantsReserved", xmax = 0 AS "isNew",
      COALESCE("removingUntil" > clock_timestamp(), false) AS "isClaimed",
      COALESCE(${heldUntil}::timestamptz > clock_timestamp(), false) AS "isHeld"`
  return lockedRow.parse(rows)[0]
}

/** Locks an object's row, if there is one, until the transaction ends. */
export async function lockExistingObject(tx: Transaction, sha256: string): Promise<void> {
  await tx.$queryRaw`SELECT 1 FROM "StoredObject" WHERE "sha256" = ${sha256} FOR UPDATE`
}

const heldRow = z.tuple([z.object({ heldUntil: z.date() })])

/** Holds an object that is locked and not claimed. Resolves with the end of the hold. Drops expired holds, and stores `facts` in
 *  the row if given. */
export async function holdObject(
  tx: Transaction,
  sha256: string,
  holdMs: number,
  facts: ObjectFacts | null = null,
): Promise<Date> {
  const rows = await tx.$queryRaw`
    UPDATE "StoredObject" SET
      "holds" = CASE WHEN "heldUntil" > clock_timestamp() THEN "holds" + 1 ELSE 1 END,
      "heldUntil" = GREATEST("heldUntil", clock_timestamp() + ${holdMs} * interval '1 millisecond')
      ${facts ? Prisma.sql`, ${said(facts)}` : Prisma.empty}
    WHERE "sha256" = ${sha256} RETURNING "heldUntil"`
  return heldRow.parse(rows)[0].heldUntil
}

const said = ({ frames, placeholder, variants, variantsDue, variantsReserved }: ObjectFacts): Prisma.Sql => Prisma.sql`
  "frames" = ${frames}, "placeholder" = ${placeholder}, "variants" = ${JSON.stringify(variants)}::jsonb,
  "variantsDue" = ${variantsDue}, "variantsReserved" = ${variantsReserved}, "cleaning" = ${CLEANING_VERSION}, "refusal" = NULL`

/** Ends a hold. Leaves an expired one alone, which is not counted any more or has been replaced by others. */
export async function releaseObject(tx: Transaction, sha256: string, heldUntil: Date): Promise<void> {
  await tx.$executeRaw`
    UPDATE "StoredObject" SET
      "holds" = GREATEST("holds" - 1, 0), "heldUntil" = CASE WHEN "holds" > 1 THEN "heldUntil" END
    WHERE "sha256" = ${sha256} AND ${heldUntil}::timestamptz > clock_timestamp()`
}

/** Stores the facts of a locked object, and ends a hold as `releaseObject` does. */
export async function describeObject(
  tx: Transaction,
  sha256: string,
  { state, heldUntil, ...facts }: ObjectFacts & { readonly state: ObjectState; readonly heldUntil: Date },
): Promise<void> {
  const isGood = Prisma.sql`${heldUntil}::timestamptz > clock_timestamp()`
  await tx.$executeRaw`
    UPDATE "StoredObject" SET
      "holds" = CASE WHEN ${isGood} THEN GREATEST("holds" - 1, 0) ELSE "holds" END,
      "heldUntil" = CASE WHEN ${isGood} AND "holds" <= 1 THEN NULL ELSE "heldUntil" END,
      "state" = ${state}::"ObjectState", ${said(facts)}
    WHERE "sha256" = ${sha256}`
}

const claimedRow = z.array(
  z.object({
    state: z.enum(['live', 'deleting']),
    variants: z.unknown(),
    variantsComing: z.unknown(),
    removingUntil: z.date(),
  }),
)

/** The exclusive right to delete an object's bytes, until the claim expires. */
export type Claim = z.infer<typeof claimedRow>[number]

/** Claims an object that is marked for deletion. Null if it is not marked, held, already claimed, or removals are paused. */
export function claimMarked(db: PrismaClient, sha256: string, claimMs = CLAIM_MS): Promise<Claim | null> {
  return transact(db, async (tx) => {
    // Lock first, then check: a condition in one statement would not wait for a concurrent change of the row.
    await lockExistingObject(tx, sha256)
    if (await isPaused(tx)) return null
    const rows = await tx.$queryRaw`
      UPDATE "StoredObject" SET "removingUntil" = clock_timestamp() + ${claimMs} * interval '1 millisecond'
      WHERE "sha256" = ${sha256} AND "state" = 'deleting'
        AND ("heldUntil" > clock_timestamp()) IS NOT TRUE AND ("removingUntil" > clock_timestamp()) IS NOT TRUE
      RETURNING "state"::text, "variants", "variantsComing", "removingUntil"`
    return claimedRow.parse(rows)[0] ?? null
  })
}

/**
 * Claims an object whatever its state, and inserts a marked row if there is none: for bytes that were found in the store. Null
 * if it is held or claimed, or removals are paused. The caller must not delete bytes that a `live` row refers to.
 */
export function claimFound(db: PrismaClient, sha256: string, claimMs = CLAIM_MS): Promise<Claim | null> {
  return transact(db, async (tx) => {
    const claim = await claimWhatever(tx, sha256, claimMs)
    // The pause is checked after this statement, because it is the one that locked the row.
    if (claim && (await isPaused(tx))) throw new Paused()
    return claim
  }).catch((error: unknown) => {
    if (error instanceof Paused) return null
    throw error
  })
}

/** Rolls back the transaction of a claim. */
class Paused extends Error {
  override name = 'Paused'
}

async function claimWhatever(tx: Transaction, sha256: string, claimMs: number): Promise<Claim | null> {
  const rows = await tx.$queryRaw`
    INSERT INTO "StoredObject" AS "object" ("sha256", "size", "state", "removingUntil")
    VALUES (${sha256}, 0, 'deleting', clock_timestamp() + ${claimMs} * interval '1 millisecond')
    ON CONFLICT ("sha256") DO UPDATE SET "removingUntil" = EXCLUDED."removingUntil"
    WHERE ("object"."heldUntil" > clock_timestamp()) IS NOT TRUE
      AND ("object"."removingUntil" > clock_timestamp()) IS NOT TRUE
    RETURNING "state"::text, "variants", "variantsComing", "removingUntil"`
  return claimedRow.parse(rows)[0] ?? null
}

/** Ends a claim after all its deletes, unless it has expired. Deletes a marked row, keeps a live one. */
export async function endClaim(db: PrismaClient, sha256: string, { state, removingUntil }: Claim): Promise<void> {
  if (state === 'deleting') {
    await db.$executeRaw`
      DELETE FROM "StoredObject" WHERE "sha256" = ${sha256} AND "state" = 'deleting'
        AND "removingUntil" = ${removingUntil} AND "removingUntil" > clock_timestamp()`
  } else {
    await db.$executeRaw`
      UPDATE "StoredObject" SET "removingUntil" = NULL
      WHERE "sha256" = ${sha256} AND "removingUntil" = ${removingUntil}`
  }
}
