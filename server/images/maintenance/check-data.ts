import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { PrismaClient } from '#server/database/database.ts'
import { transact } from '#server/database/transact.ts'
import {
  hashOfKey,
  ObjectCorrupt,
  type ObjectKey,
  ObjectNotFound,
  type ObjectStore,
  originalKey,
  variantKey,
} from '#server/storage/object-store.ts'
import { parseVariants } from '../storing/stored-variants.ts'
import { batches, findUnreferenced } from './orphans.ts'

/** A problem with the data. */
export type Finding =
  | { readonly kind: 'missing' | 'corrupt'; readonly key: string }
  | { readonly kind: 'wrong size'; readonly key: string; readonly size: number; readonly expected: number }
  | { readonly kind: 'orphan'; readonly key: string; readonly size: number }
  | { readonly kind: 'no image' | 'marked'; readonly key: string }
  | { readonly kind: 'wrong image size'; readonly imageId: string; readonly size: number; readonly expected: number }
  | { readonly kind: 'miscounted'; readonly userId: string; readonly used: number; readonly expected: number }

/** Objects awaiting deletion are normal. */
export const isHarmless = ({ kind }: Finding): boolean => kind === 'marked'

export interface CheckResult {
  /** Objects read completely, and their bytes. */
  read: number
  readBytes: number
  readonly findings: Finding[]
}

interface CheckParts {
  readonly db: PrismaClient
  readonly store: ObjectStore
  /** Called with the number of rows checked so far, and the total. */
  readonly progress?: (rows: number, of: number) => void
}

const PAGE = 200

const miscounted = z.array(z.object({ userId: z.string(), used: z.bigint(), expected: z.bigint() }))
const wrongSizes = z.array(z.object({ imageId: z.string(), size: z.number(), expected: z.number() }))

/**
 * Reads every object that a row references and compares it with its hash and size, looks for objects that no row references,
 * and recounts users' storage. Changes nothing. Throws if the database or the store is unavailable.
 */
export async function checkData(parts: CheckParts): Promise<CheckResult> {
  const result: CheckResult = { read: 0, readBytes: 0, findings: [] }
  await checkObjects(parts, result)
  for await (const objects of batches(parts.store.list(''), PAGE)) {
    for (const listed of (await findUnreferenced(parts.db, objects)).values()) {
      for (const { key, size } of listed) result.findings.push({ kind: 'orphan', key, size })
    }
  }
  for (const { imageId, size, expected } of wrongSizes.parse(await imagesWithWrongSize(parts.db))) {
    result.findings.push({ kind: 'wrong image size', imageId, size, expected })
  }
  for (const { userId, used, expected } of miscounted.parse(await miscountedUsers(parts.db))) {
    result.findings.push({ kind: 'miscounted', userId, used: Number(used), expected: Number(expected) })
  }
  return result
}

/** Recounts a user's storage with the user's row locked, so that concurrent changes are counted or wait. */
export async function recount(db: PrismaClient, userId: string): Promise<void> {
  await transact(db, async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM "User" WHERE "id" = ${userId}::uuid FOR NO KEY UPDATE`
    await tx.$executeRaw`
      UPDATE "User" SET "usedBytes" = (SELECT COALESCE(SUM("size"), 0) FROM "Image" WHERE "ownerId" = "User"."id")
      WHERE "id" = ${userId}::uuid`
  })
}

const miscountedUsers = (db: PrismaClient): Promise<unknown> => db.$queryRaw`
  SELECT "User"."id"::text AS "userId", "usedBytes" AS "used", COALESCE(SUM("size"), 0)::bigint AS "expected"
  FROM "User" LEFT JOIN "Image" ON "Image"."ownerId" = "User"."id"
  GROUP BY "User"."id" HAVING "usedBytes" <> COALESCE(SUM("size"), 0)`

const imagesWithWrongSize = (db: PrismaClient): Promise<unknown> => db.$queryRaw`
  SELECT "Image"."id"::text AS "imageId", "Image"."size", "StoredObject"."size" AS "expected"
  FROM "Image" JOIN "StoredObject" USING ("sha256") WHERE "Image"."size" <> "StoredObject"."size"`

async function checkObjects({ db, store, progress }: CheckParts, result: CheckResult): Promise<void> {
  const of = await db.storedObject.count()
  let rows = 0
  let last = ''
  for (;;) {
    const page = await db.storedObject.findMany({
      where: { sha256: { gt: last } },
      orderBy: { sha256: 'asc' },
      take: PAGE,
      select: { sha256: true, size: true, state: true, variants: true, _count: { select: { images: true } } },
    })
    for (const { sha256, size, state, variants, _count } of page) {
      rows += 1
      progress?.(rows, of)
      const key = originalKey(sha256)
      if (state === 'deleting' || _count.images === 0) {
        result.findings.push({ kind: state === 'deleting' ? 'marked' : 'no image', key })
      }
      if (state === 'deleting') continue
      const found = await checkObject(store, key, size, result)
      for (const variant of parseVariants(variants)) {
        const key = variantKey(sha256, variant.width, variant.sha256)
        found.push(...(await checkObject(store, key, variant.size, result)))
      }
      if (found.length > 0 && (await isLive(db, sha256))) result.findings.push(...found)
    }
    last = page.at(-1)?.sha256 ?? ''
    if (page.length < PAGE) return
  }
}

/** Returns whether an object is still needed: it may have been deleted while it was read. */
async function isLive(db: PrismaClient, sha256: string): Promise<boolean> {
  const row = await db.storedObject.findUnique({ where: { sha256 }, select: { state: true } })
  return row?.state === 'live'
}

/** Reads an object and returns what is wrong with it. The store's own verification may fail the read earlier. */
async function checkObject(
  store: ObjectStore,
  key: ObjectKey,
  expected: number,
  result: CheckResult,
): Promise<Finding[]> {
  try {
    const { body } = await store.open(key)
    const hash = createHash('sha256')
    let size = 0
    for await (const chunk of body) {
      hash.update(chunk)
      size += chunk.length
    }
    result.read += 1
    result.readBytes += size
    if (size !== expected) return [{ kind: 'wrong size', key, size, expected }]
    return hash.digest('hex') === hashOfKey(key) ? [] : [{ kind: 'corrupt', key }]
  } catch (error) {
    if (error instanceof ObjectNotFound) return [{ kind: 'missing', key }]
    if (error instanceof ObjectCorrupt) return [{ kind: 'corrupt', key }]
    throw error
  }
}
